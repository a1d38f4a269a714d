package dev.artel.examples.hello;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import dev.artel.server.wiring.StartupException;
import java.nio.file.Path;

/// An orchestrator that knows the blueprint `hello`, or with the argument `worker` a worker for it.
public final class Hello {
    private Hello() {}

    /// Runs until it receives a signal to end.
    public static void main(String[] arguments) throws InterruptedException {
        try {
            if (arguments.length > 0 && arguments[0].equals("worker")) {
                work();
            } else {
                orchestrate();
            }
        } catch (StartupException | IllegalArgumentException wrong) {
            System.err.println("hello: " + wrong.getMessage());
            System.exit(2);
        }
    }

    private static void orchestrate() throws InterruptedException {
        var config = ServerConfig.DEFAULTS.withData(Path.of("hello-data"));
        var node = ArtelNode.start(config, Blueprints.of(HelloBlueprint.hello()));
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
        System.out.printf(
                "Listening. The tokens are in %s. Run this in the other terminals:%n"
                        + "export ORCHESTRATOR_URL=%s WORKER_TOKEN=$(./artel token show worker --data hello-data)"
                        + " CLIENT_TOKEN=$(./artel token show client --data hello-data)%n",
                config.data().resolve("tokens.json"), node.uri());
        Thread.currentThread().join();
    }

    private static void work() throws InterruptedException {
        var worker = HelloWorker.of(System.getenv());
        worker.start();
        worker.awaitStopped();
    }
}
