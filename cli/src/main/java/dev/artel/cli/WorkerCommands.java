package dev.artel.cli;

import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
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
    private static final int SHOWN = 40;
    private static final String[] MEMBERS = {
        "worker_id", "state", "wire", "slots", "supported_tasks", "reputation"
    };

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
                        MEMBERS);
        return 0;
    }

    @Command(description = "shows the workers, each second", mixinStandardHelpOptions = true)
    int watch(@Mixin CliConnection connection) {
        return new LiveScreen(context)
                .show(
                        connection,
                        false,
                        api -> {
                            var output = context.output();
                            var found = api.list(WORKERS, SHOWN);
                            var lines = new ArrayList<>(output.rows(found, MEMBERS));
                            if (found.size() == SHOWN) {
                                lines.add("the first " + SHOWN + "; worker list has all");
                            }
                            return lines;
                        });
    }

    @Command(
            description = "lets a worker, or all that the options name, get no more tasks",
            mixinStandardHelpOptions = true)
    int drain(
            @Mixin CliConnection connection,
            @Mixin Many many,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "") String reason,
            @Option(
                            names = "--mode",
                            paramLabel = "MODE",
                            defaultValue = "",
                            description =
                                    "what happens to the tasks that it has: graceful, immediate or emergency; default: they go on")
                    String mode) {
        var body = JsonObject.builder();
        if (!reason.isEmpty()) {
            body.put("reason", reason);
        }
        if (!mode.isEmpty()) {
            body.put("mode", mode);
        }
        return post(connection, many, "drain", body.build());
    }

    @Command(
            description = "lets a drained worker, or all that the options name, get tasks again",
            mixinStandardHelpOptions = true)
    int undrain(@Mixin CliConnection connection, @Mixin Many many) {
        return post(connection, many, "undrain", JsonObject.EMPTY);
    }

    /// One worker, or all that are connected and match.
    static final class Many {
        @Parameters(paramLabel = "WORKER", arity = "0..1")
        private Optional<String> id = Optional.empty();

        @Option(names = "--wire", paramLabel = "WIRE", description = "all of this wire")
        private Optional<String> wire = Optional.empty();

        @Option(names = "--task-type", paramLabel = "TYPE", description = "all that offer it")
        private Optional<String> taskType = Optional.empty();

        @Option(names = "--all", description = "all that are connected")
        private boolean isAll;

        /// Where `act` is done.
        String path(String act) {
            var isMany = wire.isPresent() || taskType.isPresent() || isAll;
            if (isMany == id.isPresent()) {
                throw CliFailure.usage(
                        "name one worker, or those that are meant with --wire, --task-type or --all");
            }
            if (id.isPresent()) {
                return WORKERS + "/" + CliConnection.encoded(id.get()) + "/" + act;
            }
            var parameters = new LinkedHashMap<String, String>();
            wire.ifPresent(name -> parameters.put("wire", name));
            taskType.ifPresent(name -> parameters.put("task_type", name));
            if (isAll) {
                parameters.put("all", "true");
            }
            return "/api/v1/bulk/workers/" + act + CliValues.query(parameters, List.of());
        }
    }

    private int post(CliConnection connection, Many many, String act, JsonObject body) {
        var path = many.path(act);
        var answer = connection.ask(context.environment(), api -> api.post(path, body));
        if (connection.isJson()) {
            context.output().json(answer);
        } else {
            context.output()
                    .line(
                            answer.number("done")
                                    .map(done -> done + " workers")
                                    .or(() -> answer.string("state"))
                                    .orElse("done"));
        }
        return 0;
    }
}
