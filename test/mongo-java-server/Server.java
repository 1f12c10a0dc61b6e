/* Server.java: mongo-java-server, with its records in a file: Server FILE HOST PORT. For tests of the protocol. */
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.h2.H2Backend;

public class Server {
	public static void main(String[] arguments) {
		MongoServer server = new MongoServer(new H2Backend(arguments[0]));
		Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
		server.bind(arguments[1], Integer.parseInt(arguments[2]));
	}
}
