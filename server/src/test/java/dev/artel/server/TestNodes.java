package dev.artel.server;

import dev.artel.config.HttpSettings;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.StallSettings;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryObjectStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// Orchestrators for tests, each on a free port.
final class TestNodes {
    static final ServerConfig CONFIG =
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

    static ArtelNode inMemory() {
        return inMemory(CONFIG.http());
    }

    static ArtelNode inMemory(HttpSettings http) {
        return on(storage(), http);
    }

    /// All in memory.
    static Storage storage() {
        var objects = new InMemoryObjectStore(InstantSource.system());
        return new Storage(
                new InMemoryEventStore(),
                new StoredPayloads(objects, 64 << 20),
                Optional.of(objects),
                new InMemoryFleet(),
                new InMemoryKeyValueStore());
    }

    static ArtelNode on(Storage storage) {
        return on(storage, CONFIG.http());
    }

    private static ArtelNode on(Storage storage, HttpSettings http) {
        return ArtelNode.start(CONFIG.withHttp(http), SampleBlueprints.all(), storage);
    }
}
