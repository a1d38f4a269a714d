package dev.artel.examples.trip;

import dev.artel.blueprint.Blueprint;
import dev.artel.config.CommandLine;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import dev.artel.worker.Worker;
import java.util.Arrays;
import java.util.HashMap;

/// An orchestrator that knows the blueprints `trip` and `payment`, and a worker for their tasks.
public final class TripDemo {
    private TripDemo() {}

    /// Runs until it receives a signal to end. Takes the flags of `./artel up`, before them `function` for the trip as a durable function;
    /// its data are in `trip-data` unless set otherwise.
    public static void main(String[] arguments) throws InterruptedException {
        var isFunction = arguments.length > 0 && arguments[0].equals("function");
        var flags = isFunction ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
        var trip = isFunction ? TripFunction.trip() : TripBlueprint.trip();
        var environment = new HashMap<>(System.getenv());
        environment.putIfAbsent("ARTEL_DATA", "trip-data");
        switch (CommandLine.read(flags, environment)) {
            case CommandLine.Help _ -> System.out.println(CommandLine.USAGE);
            case CommandLine.Problems(var problems) -> {
                problems.forEach(System.err::println);
                System.exit(2);
            }
            case CommandLine.Settings(var config, var _) -> run(config, trip);
        }
    }

    private static void run(ServerConfig config, Blueprint trip) throws InterruptedException {
        var blueprints = Blueprints.of(trip, PaymentBlueprint.payment());
        try (var node = ArtelNode.start(config, blueprints);
                var worker =
                        new TripWorker()
                                .on(Worker.named("travel-agency"))
                                .orchestrator(node.uri(), node.workerToken())
                                .build()) {
            worker.start();
            System.out.printf(
                    "Listening. Run this in another terminal:%nexport API=%s/api/v1 AUTH=\"Authorization: Bearer %s\"%n",
                    node.uri(), token(config));
            worker.awaitStopped();
        }
    }

    /// What a shell puts the token of clients in the place of, so that it is printed nowhere.
    private static String token(ServerConfig config) {
        return switch (config.tokens()) {
            case TokenSettings.Kept _ ->
                    "$(./artel token show client --data '" + config.data().toAbsolutePath() + "')";
            case TokenSettings.Given _ -> "$ARTEL_CLIENT_TOKEN";
        };
    }
}
