#!/bin/sh
# Guess: Xodus appends to a log and cleans it. After 20,000 records of 109 bytes are deleted one by
# one and the environment is closed, a few MB are left.
#
# Truth: each transaction appends its path of the tree, about 1 kB a put, and deletes add to that.
# Only a thread that starts seconds after the environment was opened cleans, so how much is left
# depends on how long the program ran. Close does not clean, nor do ten more openings.
#
# Version: org.jetbrains.xodus:xodus-environment 2.0.1, OpenJDK 17, Linux 6.18, ext4
# Seen: kB loaded, deleted and closed, after ten openings, records left: 19986 33288 33288 0, and
# 19986 17364 17364 0. With 100,000 records, on busy machines: 101390 85132 85132 0, and
# 40891 27612 27612 0
set -eu
for tool in mvn java; do
    command -v "$tool" >/dev/null || { echo "xodus-space: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >pom.xml <<'END'
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.jetbrains.xodus</groupId>
      <artifactId>xodus-environment</artifactId>
      <version>2.0.1</version>
    </dependency>
  </dependencies>
</project>
END
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >log 2>&1 || { cat log >&2; exit 2; }
cat >Space.java <<'END'
import java.io.File;
import java.util.Arrays;
import java.util.Random;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;

public class Space {
    static final int RECORDS = 20000;

    static ByteIterable key(long i) {
        return new ArrayByteIterable(String.format("k%08d", i * 7919 % RECORDS).getBytes());
    }

    static long kilobytes() {
        return Arrays.stream(new File("db").listFiles()).mapToLong(File::length).sum() / 1000;
    }

    static Store store(Environment env) {
        return env.computeInTransaction(
            t -> env.openStore("s", StoreConfig.WITHOUT_DUPLICATES, t));
    }

    public static void main(String[] args) {
        Random random = new Random(1);
        Environment env = Environments.newInstance("db");
        Store s = store(env);
        for (int i = 0; i < RECORDS; i++) {
            ByteIterable k = key(i);
            byte[] v = new byte[100];
            random.nextBytes(v);
            env.executeInTransaction(t -> s.put(t, k, new ArrayByteIterable(v)));
        }
        long loaded = kilobytes();
        for (int i = 0; i < RECORDS; i++) {
            ByteIterable k = key(i);
            env.executeInTransaction(t -> s.delete(t, k));
        }
        env.close();
        long deleted = kilobytes();
        long left = -1;
        for (int i = 0; i < 10; i++) {
            Environment again = Environments.newInstance("db");
            Store r = store(again);
            left = again.computeInTransaction(t -> r.count(t));
            again.close();
        }
        System.out.println(loaded + " " + deleted + " " + kilobytes() + " " + left);
        System.exit(0);
    }
}
END
seen=$(java -cp 'lib/*' Space.java 2>/dev/null)
echo "kB loaded, deleted and closed, after ten openings, records left: $seen"
echo "$seen" | awk '{ exit !($1 > 6000 && $2 > 5000 && $3 > 0.9 * $2 && $4 == 0) }' ||
    { echo "xodus-space: $seen: cleaned, or small from the start" >&2; exit 1; }
