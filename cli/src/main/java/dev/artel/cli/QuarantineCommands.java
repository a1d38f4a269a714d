package dev.artel.cli;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What is done with jobs that wait for a person.
@Command(
        name = "quarantine",
        description = "shows jobs that wait for a person, and lets them go on",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class QuarantineCommands {
    private final CliContext context;

    QuarantineCommands(CliContext context) {
        this.context = context;
    }

    @Command(description = "lists the jobs that wait for a person", mixinStandardHelpOptions = true)
    int list(@Mixin CliConnection connection) {
        context.output()
                .list(
                        connection.ask(
                                context.environment(),
                                api -> api.list("/api/v1/quarantine", 1_000)),
                        connection.isJson(),
                        "id",
                        "blueprint_name",
                        "current_state",
                        "error_message");
        return 0;
    }

    @Command(description = "runs the state again", mixinStandardHelpOptions = true)
    int retry(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "JOB") String id,
            @Option(names = "--set", paramLabel = "NAME=VALUE") @Nullable List<String> changes) {
        return act(
                connection,
                client ->
                        client.retry(
                                new JobRef(id),
                                CliValues.object(changes == null ? List.of() : changes)));
    }

    @Command(description = "lets the job go on as it is", mixinStandardHelpOptions = true)
    int release(@Mixin CliConnection connection, @Parameters(paramLabel = "JOB") String id) {
        return act(connection, client -> client.release(new JobRef(id)));
    }

    @Command(
            description = "goes on with a result that a person gives",
            mixinStandardHelpOptions = true)
    int skip(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "JOB") String id,
            @Parameters(paramLabel = "RESULT", description = "JSON or @FILE") String result) {
        return act(connection, client -> client.skip(new JobRef(id), CliValues.value(result)));
    }

    @Command(description = "fails the job", mixinStandardHelpOptions = true)
    int discard(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "JOB") String id,
            @Option(names = "--reason", paramLabel = "TEXT", required = true) String reason) {
        return act(connection, client -> client.discard(new JobRef(id), reason));
    }

    private int act(CliConnection connection, Consumer<ArtelClient> act) {
        return connection.with(
                context.environment(),
                client -> {
                    act.accept(client);
                    context.output().line("done");
                    return 0;
                });
    }
}
