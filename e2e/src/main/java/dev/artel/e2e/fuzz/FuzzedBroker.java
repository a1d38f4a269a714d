package dev.artel.e2e.fuzz;

import dev.artel.testkit.broker.RabbitServer;
import dev.artel.testkit.broker.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What stands between the orchestrator and those on a wire that has a broker. Each of those has an account under its own name, as the guides of both wires advise: it may
/// do what any account of its kind may, and nothing in the name of another.
///
/// @param uri with the login of the orchestrator
record FuzzedBroker(URI uri, AutoCloseable process) implements AutoCloseable {
    /// The exchange of agents.
    static final String EXCHANGE = "mindbus.main";

    /// Of all accounts but that of the orchestrator.
    private static final String PASSWORD = "password-of-an-account";

    /// Starts the one that `wire` needs; empty if it needs none.
    ///
    /// @param folder for its data
    static Optional<FuzzedBroker> start(FuzzedWire wire, Path folder) throws IOException {
        return switch (wire) {
            case HTTP, WS, ZEROMQ -> Optional.empty();
            case RABBITMQ -> Optional.of(rabbit());
            case REDIS -> Optional.of(redis(Files.createDirectories(folder.resolve("redis"))));
        };
    }

    private static List<String> accounts() {
        var names = new ArrayList<String>();
        names.add(ServerUnderFuzz.GOOD);
        for (var i = 0; i < FuzzCampaign.LANES; i++) {
            names.add(ServerUnderFuzz.hostile(i));
        }
        return names;
    }

    private static FuzzedBroker rabbit() {
        var server = RabbitServer.start();
        for (var name : accounts()) {
            var _ = server.control("add_user", name, PASSWORD);
            var _ = server.control("set_permissions", name, ".*", ".*", ".*");
            var _ = server.control("set_topic_permissions", name, EXCHANGE, own(name), ".*");
        }
        return new FuzzedBroker(server.uri(), server);
    }

    /// The keys under which an agent may publish: events, and controls of its own. Controls of others and commands are obeyed by whichever agent
    /// gets them.
    private static String own(String name) {
        return "^(evt\\..*|ctl\\." + name + "\\.any)$";
    }

    private static FuzzedBroker redis(Path folder) throws IOException {
        var server = new RedisServer(folder);
        for (var name : accounts()) {
            server.addUser(name, PASSWORD, keys(name) + "*");
        }
        return new FuzzedBroker(server.uri(), server);
    }

    /// How the keys of `name` begin.
    static String keys(String name) {
        return name + ":";
    }

    /// With the login of `name`.
    URI uriOf(String name) {
        return URI.create(
                "%s://%s:%s@%s:%d%s"
                        .formatted(
                                uri.getScheme(),
                                name,
                                PASSWORD,
                                uri.getHost(),
                                uri.getPort(),
                                uri.getRawPath()));
    }

    @Override
    public void close() throws IOException {
        try {
            process.close();
        } catch (IOException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IOException("the broker of the wire does not end", failed);
        }
    }
}
