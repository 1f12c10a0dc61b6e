#!/bin/sh
# Guess: deleting all records of a MapDB file leaves its size as it is, or makes it smaller.
#
# Truth: deleting them in random order doubles the file, and closing and opening give nothing back.
#
# Version: org.mapdb:mapdb 3.1.0, OpenJDK 17, Linux 6.18, ext4
# Seen: bytes loaded, bytes after all is deleted and reopened, records: 13631488 26214400 0
set -eu
for tool in mvn java; do
    command -v "$tool" >/dev/null || { echo "mapdb-delete: needs $tool" >&2; exit 2; }
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
      <groupId>org.mapdb</groupId>
      <artifactId>mapdb</artifactId>
      <version>3.1.0</version>
    </dependency>
  </dependencies>
</project>
END
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >log 2>&1 || { cat log >&2; exit 2; }
cat >Delete.java <<'END'
import java.io.File;
import java.util.Random;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

public class Delete {
    static final int RECORDS = 50000;
    static DB db;

    static BTreeMap<byte[], byte[]> open() {
        db = DBMaker.fileDB("db").make();
        return db.treeMap("m", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY).createOrOpen();
    }

    static byte[] key(long i) {
        return String.format("k%08d", i * 7919 % RECORDS).getBytes();
    }

    public static void main(String[] args) {
        Random random = new Random(1);
        BTreeMap<byte[], byte[]> map = open();
        for (int i = 0; i < RECORDS; i++) {
            byte[] v = new byte[100];
            random.nextBytes(v);
            map.put(key(i), v);
        }
        db.close();
        long loaded = new File("db").length();
        map = open();
        for (int i = 0; i < RECORDS; i++)
            map.remove(key(i));
        db.close();
        map = open();
        long left = map.sizeLong();
        db.close();
        System.out.println(loaded + " " + new File("db").length() + " " + left);
    }
}
END
seen=$(java -cp 'lib/*' Delete.java 2>/dev/null)
echo "bytes loaded, bytes after all is deleted and reopened, records: $seen"
echo "$seen" | awk '{ exit !($2 > 1.2 * $1 && $3 == 0) }' ||
    { echo "mapdb-delete: $seen: the file has not grown by a fifth" >&2; exit 1; }
