package dev.artel.server;

import dev.artel.config.CommandLine;
import dev.artel.config.LogSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.KeepClosed;
import dev.artel.json.text.Printable;
import dev.artel.server.cards.CardFolders;
import dev.artel.server.jars.BlueprintFolder;
import dev.artel.server.logs.ProgramLog;
import dev.artel.server.reload.Sources;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.supervision.EndOfProcess;
import dev.artel.server.supervision.Launch;
import dev.artel.server.wiring.DiskRoom;
import dev.artel.server.wiring.StartupException;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The orchestrator as a program, with the sample blueprints. Ends in order on SIGTERM.
public final class ArtelServer {
    private static final int CANNOT_START = 2;

    /// As `EX_TEMPFAIL` of sysexits.h.
    private static final int CANNOT_START_NOW = 75;

    private ArtelServer() {}

    /// Runs until the process gets SIGTERM or SIGINT. Ends at once with exit code 2 where a person has to change something
    /// (settings, permissions, another orchestrator in the folder), and with 75 where a later start may succeed; the reason
    /// is on the standard error.
    public static void main(String[] arguments) throws InterruptedException {
        ProgramLog.begin(LogSettings.DEFAULTS);
        switch (CommandLine.read(arguments, System.getenv())) {
            case CommandLine.Help _ -> System.out.println(CommandLine.USAGE);
            case CommandLine.Problems(var problems) -> {
                problems.forEach(
                        problem -> System.err.println(Printable.behind("artel: ", problem)));
                System.exit(CANNOT_START);
            }
            case CommandLine.Settings(var config, var marks) -> {
                ProgramLog.begin(config.ingress().logs());
                run(
                        config,
                        (jars, cards) ->
                                new Sources(
                                        marks,
                                        () -> CommandLine.read(arguments, System.getenv()),
                                        () -> CommandLine.described(arguments, System.getenv()),
                                        jars,
                                        cards));
            }
        }
    }

    private static void run(
            ServerConfig config, BiFunction<BlueprintFolder, CardFolders, Sources> sources)
            throws InterruptedException {
        var jars = BlueprintFolder.read(config.blueprints().folderIn(config.data()));
        var blueprints = SampleBlueprints.all();
        jars.addTo(blueprints);
        var cards = CardFolders.of(config);
        if (config.blueprints().strict()
                && !(jars.problems().isEmpty() && cards.problems().isEmpty())) {
            jars.problems()
                    .forEach(problem -> System.err.println(Printable.behind("artel: ", problem)));
            cards.problems()
                    .forEach(problem -> System.err.println(Printable.behind("artel: ", problem)));
            System.err.println(
                    "artel: not started, since blueprints are strict (--strict); fix the jars and cards or remove them");
            System.exit(CANNOT_START);
        }
        report(jars.problems());
        reportUnknown(config.engine().keepClosed(), blueprints);
        // Before anybody can know that it runs: without a handler the signal ends the process.
        var started = new CompletableFuture<ArtelNode>();
        ReloadSignal.calls(() -> {
            var _ = started.join().reload("a signal asked for it");
        });
        ArtelNode node;
        var supervision = new AtomicReference<@Nullable EndOfProcess>();
        try {
            node =
                    ArtelNode.start(
                            config,
                            blueprints,
                            new Launch(
                                    jars.problems(),
                                    folder -> {
                                        var made = EndOfProcess.supervising(folder, System.err);
                                        made.watchThreads();
                                        supervision.set(made);
                                        return made;
                                    },
                                    Optional.of(sources.apply(jars, cards))));
        } catch (StartupException e) {
            System.err.println(Printable.behind("artel: ", String.valueOf(e.getMessage())));
            var passes = e.passes() || !DiskRoom.isThere(config.data());
            System.exit(passes ? CANNOT_START_NOW : CANNOT_START);
            return;
        } catch (Error error) {
            // The port is open already, and no server would ever be ready behind it.
            endStart(supervision.get(), error);
            return;
        }
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("artel-end")
                                .unstarted(() -> {
                                    end(node, jars);
                                }));
        started.complete(node);
        greet(node, config, System.out);
        new CountDownLatch(1).await();
    }

    /// @param supervision null: nothing has run yet that could be the reason
    private static void endStart(@Nullable EndOfProcess supervision, Error error) {
        if (supervision != null) {
            // Handlers may run already: those of the jobs that were taken up.
            supervision.fatal("main", error, List.of());
            return;
        }
        try {
            System.err.println(
                    "artel: ends with exit code "
                            + EndOfProcess.EXIT_CODE
                            + ": the start failed with "
                            + error);
            LoggerFactory.getLogger(ArtelServer.class)
                    .atError()
                    .setCause(error)
                    .log("the start failed; the process ends");
        } finally {
            Runtime.getRuntime().halt(EndOfProcess.EXIT_CODE);
        }
    }

    /// What is broken is not used; everything else is.
    private static void report(List<String> problems) {
        var log = LoggerFactory.getLogger(ArtelServer.class);
        problems.forEach(problem ->
                log.atWarn()
                        .addKeyValue("problem", problem)
                        .log("not all in the folder of blueprints is used; see also /readyz"));
    }

    /// A mistyped name would keep the jobs of its blueprint for another time, or remove them too early. The jobs of a blueprint
    /// that is no longer there may be left, so this is no error.
    private static void reportUnknown(KeepClosed keepClosed, Blueprints blueprints) {
        var known = blueprints.names();
        var log = LoggerFactory.getLogger(ArtelServer.class);
        keepClosed.ofBlueprints().keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name ->
                        log.atWarn()
                                .addKeyValue("blueprint", name)
                                .addKeyValue("known", known)
                                .log(
                                        "engine.keep-closed-of names a blueprint that is not there;"
                                                + " the time is for its jobs alone, correct the"
                                                + " name or leave it out"));
    }

    private static void end(ArtelNode node, BlueprintFolder jars) {
        var log = LoggerFactory.getLogger(ArtelServer.class);
        log.info("stopping");
        node.close();
        jars.close();
        log.info("stopped");
    }

    private static void greet(ArtelNode node, ServerConfig config, PrintStream out) {
        if (config.ingress().logs().format() == LogSettings.Format.JSON) {
            // Nothing but objects on the standard output, and no token in a log.
            LoggerFactory.getLogger(ArtelServer.class)
                    .atInfo()
                    .addKeyValue("uri", node.uri())
                    .addKeyValue("data", config.data().toAbsolutePath().normalize())
                    .addKeyValue("blueprints", node.engine().blueprints().names())
                    .log("listening");
            return;
        }
        out.println("artel: listening on " + node.uri());
        out.println("artel: dashboard at " + node.dashboard());
        if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()) {
            // For the person at the terminal; a log keeps what it gets.
            node.dashboardLink()
                    .ifPresent(link ->
                            out.println("artel: log in once, within five minutes: " + link));
        }
        out.println("artel: data in " + config.data().toAbsolutePath().normalize());
        if (node.hasNewTokens()) {
            out.println(
                    "artel: tokens were made, in tokens.json there; ./artel token show client, or"
                            + " worker, prints one");
        } else if (config.tokens() instanceof TokenSettings.Kept) {
            out.println("artel: tokens are in tokens.json there");
        }
        out.println("artel: blueprints " + node.engine().blueprints().names());
        out.flush();
    }
}
