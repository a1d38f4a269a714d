package dev.artel.examples.trip;

import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import dev.artel.server.config.ServerConfig;
import dev.artel.worker.Worker;
import java.nio.file.Path;

/// An orchestrator that knows the blueprints `trip` and `payment`, and a worker for their tasks.
public final class TripDemo {
    private TripDemo() {}

    /// Runs until it is told to end.
    public static void main(String[] arguments) throws InterruptedException {
        var config = ServerConfig.DEFAULTS.withData(Path.of("trip-data"));
        var blueprints = Blueprints.of(TripBlueprint.trip(), PaymentBlueprint.payment());
        try (var node = ArtelNode.start(config, blueprints);
                var worker =
                        Worker.named("travel-agency")
                                .orchestrator(node.uri(), node.workerToken())
                                .handlers(new TripWorker())
                                .build()) {
            worker.start();
            System.out.printf(
                    "Listening. In another terminal say:%nexport API=%s/api/v1 AUTH='X-Client-Token: %s'%n",
                    node.uri(), node.clientToken());
            worker.awaitStopped();
        }
    }
}
