package dev.artel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// What is done with the secrets that cards name.
@Command(
        name = "secret",
        description = "shows the names of the secrets that cards may name",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class SecretCommands {
    private static final int MOST = 10_000;

    private final CliContext context;

    SecretCommands(CliContext context) {
        this.context = context;
    }

    @Command(
            description = "lists the secrets and where they may go, never their values",
            mixinStandardHelpOptions = true)
    int list(@Mixin CliConnection connection) {
        context.output()
                .list(
                        connection.ask(
                                context.environment(),
                                api -> api.list("/api/v1/admin/secrets", MOST)),
                        connection.isJson(),
                        "name",
                        "hosts");
        return 0;
    }
}
