package dev.artel.server;

import dev.artel.server.config.HttpSettings;
import dev.artel.server.config.Secret;
import dev.artel.server.config.ServerConfig;
import dev.artel.server.config.TokenSettings;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryObjectStore;
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
                                    new Secret("worker-token-of-the-tests")));

    private TestNodes() {}

    static ArtelNode inMemory() {
        return inMemory(CONFIG.http());
    }

    static ArtelNode inMemory(HttpSettings http) {
        var objects = new InMemoryObjectStore(InstantSource.system());
        return on(
                new Storage(
                        new InMemoryEventStore(),
                        new StoredPayloads(objects, 64 << 20),
                        Optional.of(objects),
                        new InMemoryFleet(),
                        new InMemoryKeyValueStore()),
                http);
    }

    static ArtelNode on(Storage storage) {
        return on(storage, CONFIG.http());
    }

    private static ArtelNode on(Storage storage, HttpSettings http) {
        return ArtelNode.start(CONFIG.withHttp(http), SampleBlueprints.all(), storage);
    }
}
