package dev.artel.cli;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What is done with workers.
@Command(
        name = "worker",
        description = "shows and drains workers",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class WorkerCommands {
    private static final String WORKERS = "/api/v1/workers";
    private static final int MOST = 100_000;

    private final CliContext context;

    WorkerCommands(CliContext context) {
        this.context = context;
    }

    @Command(description = "lists the workers", mixinStandardHelpOptions = true)
    int list(
            @Mixin CliConnection connection,
            @Option(names = "--all", description = "also those that are not connected")
                    boolean isAll) {
        context.output()
                .list(
                        connection.ask(
                                context.environment(),
                                api -> api.list(WORKERS + (isAll ? "?all=true" : ""), MOST)),
                        connection.isJson(),
                        "worker_id",
                        "state",
                        "wire",
                        "slots",
                        "supported_tasks",
                        "reputation");
        return 0;
    }

    @Command(description = "lets a worker get no more tasks", mixinStandardHelpOptions = true)
    int drain(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "WORKER") String id,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "") String reason) {
        return post(
                connection,
                id,
                "drain",
                reason.isEmpty()
                        ? JsonObject.EMPTY
                        : JsonObject.of("reason", JsonValue.of(reason)));
    }

    @Command(description = "lets a drained worker get tasks again", mixinStandardHelpOptions = true)
    int undrain(@Mixin CliConnection connection, @Parameters(paramLabel = "WORKER") String id) {
        return post(connection, id, "undrain", JsonObject.EMPTY);
    }

    private int post(CliConnection connection, String id, String act, JsonObject body) {
        var answer =
                connection.ask(
                        context.environment(),
                        api ->
                                api.post(
                                        WORKERS + "/" + CliConnection.encoded(id) + "/" + act,
                                        body));
        if (connection.isJson()) {
            context.output().json(answer);
        } else {
            context.output().line(answer.string("status").orElse("done"));
        }
        return 0;
    }
}
