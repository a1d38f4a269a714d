package dev.artel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What is done with blueprints.
@Command(
        name = "blueprint",
        description = "shows and uploads blueprints",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class BlueprintCommands {
    private static final String BLUEPRINTS = "/api/v1/blueprints";
    private static final String CARDS = "/api/v1/admin/cards";
    private static final String JARS = "/api/v1/admin/jars/";
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
    int get(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "NAME") String name,
            @Mixin BlueprintVersion version) {
        var path = version.of(path(name));
        context.output().json(connection.ask(context.environment(), api -> api.get(path)));
        return 0;
    }

    @Command(
            description =
                    "prints the graph of a blueprint for Graphviz, or with --json as a document",
            mixinStandardHelpOptions = true)
    int graph(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "NAME") String name,
            @Mixin BlueprintVersion version) {
        var path = path(name) + "/graph";
        if (connection.isJson()) {
            var graph = version.of(path, "format=json");
            context.output().json(connection.ask(context.environment(), api -> api.get(graph)));
        } else {
            var graph = version.of(path, "format=dot");
            context.output()
                    .line(
                            connection
                                    .ask(context.environment(), api -> api.text(graph))
                                    .stripTrailing());
        }
        return 0;
    }

    @Command(
            description =
                    "sends a jar with blueprints, or a process card (.yaml, .yml); the orchestrator takes it up at once",
            mixinStandardHelpOptions = true)
    int upload(
            @Mixin CliConnection connection,
            @Parameters(paramLabel = "FILE") Path file,
            @Option(
                            names = "--dry-run",
                            description = "only checks a card, and lists all its problems")
                    boolean isDryRun) {
        var name = String.valueOf(file.getFileName());
        var isCard = name.endsWith(".yaml") || name.endsWith(".yml");
        if (!isCard && !name.endsWith(".jar")) {
            throw CliFailure.usage(
                    file + " is neither a jar (.jar) nor a process card (.yaml, .yml)");
        }
        if (isDryRun && !isCard) {
            throw CliFailure.usage("--dry-run checks process cards; " + file + " is a jar");
        }
        var content = read(file);
        var answer =
                connection.ask(
                        context.environment(),
                        api ->
                                isCard
                                        ? api.send(
                                                "POST",
                                                CARDS + (isDryRun ? "/validate" : ""),
                                                "application/yaml",
                                                content)
                                        : api.send(
                                                "PUT",
                                                JARS + CliConnection.encoded(name),
                                                "application/java-archive",
                                                content));
        context.output().json(answer);
        return 0;
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw CliFailure.unreadable(file, unreadable);
        }
    }

    private static String path(String name) {
        return BLUEPRINTS + "/" + CliConnection.encoded(name);
    }
}
