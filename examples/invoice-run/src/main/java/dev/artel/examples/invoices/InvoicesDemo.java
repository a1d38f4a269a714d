package dev.artel.examples.invoices;

import dev.artel.config.CommandLine;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import dev.artel.worker.Worker;
import java.util.HashMap;

/// An orchestrator that knows the blueprints `invoice_run` and `invoice`, and a worker for their tasks.
public final class InvoicesDemo {
    private InvoicesDemo() {}

    /// Runs until it receives a signal to end. Takes the flags of `./artel up`; its data are in `invoice-data` unless set
    /// otherwise.
    public static void main(String[] arguments) throws InterruptedException {
        var environment = new HashMap<>(System.getenv());
        environment.putIfAbsent("ARTEL_DATA", "invoice-data");
        switch (CommandLine.read(arguments, environment)) {
            case CommandLine.Help _ -> System.out.println(CommandLine.USAGE);
            case CommandLine.Problems(var problems) -> {
                problems.forEach(System.err::println);
                System.exit(2);
            }
            case CommandLine.Settings(var config, var _) -> run(config);
        }
    }

    private static void run(ServerConfig config) throws InterruptedException {
        var blueprints = Blueprints.of(InvoiceBlueprints.nightly(), InvoiceBlueprints.invoice());
        try (var node = ArtelNode.start(config, blueprints);
                var worker =
                        new Accounting()
                                .on(Worker.named("accounting"))
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
