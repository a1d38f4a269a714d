package dev.artel.e2e.engine;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.store.sqlite.SqliteEventStore;
import dev.artel.testkit.engine.EngineContract;
import dev.artel.testkit.engine.TestedEngine;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

final class SqliteEngineTest implements EngineContract {
    @TempDir private Path folder;

    @Override
    public TestedEngine start(Blueprint... blueprints) {
        var events = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
        var payloads =
                new StoredPayloads(
                        FolderObjectStore.open(folder.resolve("payloads")), Long.MAX_VALUE);
        var engine =
                LocalEngine.start(
                        EngineConfig.DEFAULTS,
                        events,
                        payloads,
                        Blueprints.of(blueprints),
                        InstantSource.system());
        return new OnItsOwnStore(TestedEngine.of(engine), events);
    }

    private record OnItsOwnStore(TestedEngine tested, SqliteEventStore events)
            implements TestedEngine {
        @Override
        public Engine engine() {
            return tested.engine();
        }

        @Override
        public WorkerPort deliveries() {
            return tested.deliveries();
        }

        @Override
        public void listen(WorkerPort.Listener listener) {
            tested.listen(listener);
        }

        @Override
        public void close() {
            tested.close();
            events.close();
        }
    }
}
