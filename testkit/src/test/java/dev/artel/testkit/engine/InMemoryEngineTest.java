package dev.artel.testkit.engine;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.InstantSource;

final class InMemoryEngineTest implements EngineContract {
    private final InMemoryEventStore events = new InMemoryEventStore();
    private final InMemoryPayloadStore payloads = new InMemoryPayloadStore();

    @Override
    public TestedEngine start(Blueprint... blueprints) {
        var engine =
                LocalEngine.start(
                        EngineConfig.DEFAULTS,
                        events,
                        payloads,
                        Blueprints.of(blueprints),
                        InstantSource.system());
        return TestedEngine.of(engine);
    }
}
