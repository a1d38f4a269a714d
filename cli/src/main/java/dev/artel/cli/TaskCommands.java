package dev.artel.cli;

import static dev.artel.cli.CliConnection.job;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// What is asked about tasks.
@Command(
        name = "task",
        description = "shows the tasks of a job",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class TaskCommands {
    private final CliContext context;

    TaskCommands(CliContext context) {
        this.context = context;
    }

    @Command(description = "lists the tasks of a job", mixinStandardHelpOptions = true)
    int list(@Mixin CliConnection connection, @Parameters(paramLabel = "JOB") String id) {
        context.output()
                .list(
                        connection.ask(
                                context.environment(),
                                api -> api.list(job(id) + "/tasks", 100_000)),
                        connection.isJson(),
                        "task",
                        "type",
                        "status",
                        "attempt",
                        "worker");
        return 0;
    }

    @Command(
            description = "states why a task is where it is, or has no worker yet",
            mixinStandardHelpOptions = true)
    int why(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "JOB") String id,
            @Parameters(paramLabel = "TASK") int task) {
        var found =
                connection.ask(
                        context.environment(), api -> api.get(job(id) + "/tasks/" + task + "/why"));
        if (connection.isJson()) {
            context.output().json(found);
        } else {
            context.output().line(found.string("text").orElse(""));
        }
        return 0;
    }
}
