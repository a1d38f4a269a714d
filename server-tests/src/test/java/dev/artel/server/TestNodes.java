package dev.artel.server;

import dev.artel.config.CommandLine;
import dev.artel.config.HttpSettings;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.StallSettings;
import dev.artel.engine.shell.Supervision;
import dev.artel.server.cards.CardFolders;
import dev.artel.server.jars.BlueprintFolder;
import dev.artel.server.reload.Sources;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.supervision.Launch;
import dev.artel.server.wiring.Storage;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Orchestrators for tests, each on a free port.
public final class TestNodes {
    public static final ServerConfig CONFIG =
            ServerConfig.DEFAULTS
                    .withPort(0)
                    .withTokens(
                            new TokenSettings.Given(
                                    new Secret("client-token-of-the-tests"),
                                    new Secret("worker-token-of-the-tests")))
                    // Looks for stuck jobs all the time; see [NothingStuck]. What it finds stays as
                    // it is.
                    .withEngine(
                            EngineConfig.DEFAULTS.withStalls(
                                    new StallSettings(
                                            Duration.ofMillis(200),
                                            1_000,
                                            Duration.ofSeconds(1),
                                            false)));

    private TestNodes() {}

    public static ArtelNode inMemory() {
        return inMemory(CONFIG.http());
    }

    public static ArtelNode inMemory(HttpSettings http) {
        return on(storage(), http);
    }

    /// As the program does it.
    public static ArtelNode launched(ServerConfig config, Blueprints blueprints, Launch launch) {
        return ArtelNode.start(config, blueprints, launch);
    }

    /// As the program does it, with the settings of `file` and the jars in `jars`, which are read again when it reloads.
    public static ArtelNode launched(Path file, Path jars, Blueprints blueprints) {
        var arguments = new String[] {"--config", file.toString()};
        var settings = (CommandLine.Settings) CommandLine.read(arguments, Map.of());
        var read = BlueprintFolder.read(jars);
        read.addTo(blueprints);
        var sources =
                new Sources(
                        settings.marks(),
                        () -> CommandLine.read(arguments, Map.of()),
                        () -> CommandLine.described(arguments, Map.of()),
                        read,
                        CardFolders.of(settings.config()));
        return launched(
                settings.config(),
                blueprints,
                new Launch(List.of(), _ -> Supervision.LOG_ONLY, Optional.of(sources)));
    }

    /// The routes that `node` serves, each as `METHOD path`.
    public static List<String> routes(ArtelNode node) {
        return node.routes();
    }

    /// The port of the listener for operations, if `node` has one.
    public static OptionalInt operationsPort(ArtelNode node) {
        return node.operationsPort();
    }

    /// All in memory.
    public static Storage storage() {
        var objects = new InMemoryObjectStore(InstantSource.system());
        return new Storage(
                new InMemoryEventStore(),
                new StoredPayloads(objects, 64 << 20),
                Optional.of(objects),
                new InMemoryFleet(),
                new InMemoryKeyValueStore());
    }

    public static ArtelNode on(Storage storage) {
        return on(storage, CONFIG.http());
    }

    private static ArtelNode on(Storage storage, HttpSettings http) {
        return ArtelNode.start(CONFIG.withHttp(http), SampleBlueprints.all(), storage);
    }
}
