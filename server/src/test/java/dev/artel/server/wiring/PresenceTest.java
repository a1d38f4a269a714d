package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.server.access.Access;
import dev.artel.server.config.AccessSettings;
import dev.artel.server.config.Secret;
import dev.artel.server.feed.FleetNews;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PresenceTest {
    private static final WorkerProfile WELL =
            WorkerProfile.of(new WorkerId("w1"), List.of("echo"), 1);
    private static final WorkerProfile SICK = WELL.with(Condition.UNHEALTHY);

    /// Trap: each heartbeat of a worker is news.
    @Test
    void whatHappensToAWorker_isReportedOnce_howeverOftenItSpeaks() {
        var told = new ArrayList<String>();
        var news = new FleetNews(0);
        news.watchedBy((type, _) -> told.add(type));
        try (var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                new InMemoryEventStore(),
                                new InMemoryPayloadStore(),
                                Blueprints.of(),
                                InstantSource.system());
                var access =
                        new Access(
                                AccessSettings.DEFAULTS,
                                Optional.empty(),
                                new Secret("client-token-of-the-tests"),
                                new Secret("worker-token-of-the-tests"),
                                "the settings",
                                InstantSource.system())) {
            var presence = new Presence(engine, access, news);

            presence.joined(WELL);
            presence.joined(WELL);
            presence.joined(SICK);
            presence.joined(SICK);
            presence.joined(WELL);
            presence.joined(SICK);
            presence.left(WELL.id(), LeaseEnding.Lost.WORKER_GONE);
            presence.left(WELL.id(), LeaseEnding.Lost.WORKER_GONE);
            presence.joined(WELL);
        }

        assertThat(told)
                .containsExactly(
                        "worker.joined",
                        "worker.unhealthy",
                        "worker.healthy",
                        "worker.unhealthy",
                        "worker.left",
                        "worker.joined");
    }
}
