package dev.artel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// What is asked about blueprints.
@Command(
        name = "blueprint",
        description = "shows blueprints",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class BlueprintCommands {
    private static final String BLUEPRINTS = "/api/v1/blueprints";
    private static final int MOST = 10_000;

    private final CliContext context;

    BlueprintCommands(CliContext context) {
        this.context = context;
    }

    @Command(description = "lists the blueprints", mixinStandardHelpOptions = true)
    int list(@Mixin CliConnection connection) {
        context.output()
                .list(
                        connection.ask(context.environment(), api -> api.list(BLUEPRINTS, MOST)),
                        connection.isJson(),
                        "name",
                        "version",
                        "states");
        return 0;
    }

    @Command(description = "prints the document of a blueprint", mixinStandardHelpOptions = true)
    int get(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        context.output().json(connection.ask(context.environment(), api -> api.get(path(name))));
        return 0;
    }

    @Command(
            description =
                    "prints the graph of a blueprint for Graphviz, or with --json as a document",
            mixinStandardHelpOptions = true)
    int graph(@Mixin CliConnection connection, @Parameters(paramLabel = "NAME") String name) {
        var graph = path(name) + "/graph?format=";
        if (connection.isJson()) {
            context.output()
                    .json(connection.ask(context.environment(), api -> api.get(graph + "json")));
        } else {
            context.output()
                    .line(
                            connection
                                    .ask(context.environment(), api -> api.text(graph + "dot"))
                                    .stripTrailing());
        }
        return 0;
    }

    private static String path(String name) {
        return BLUEPRINTS + "/" + CliConnection.encoded(name);
    }
}
