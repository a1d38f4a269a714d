package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.access.AccessControl;
import dev.artel.config.AccessSettings;
import dev.artel.config.Secret;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.WorkerPortRelay;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.Capabilities;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.server.LogLines;
import dev.artel.server.feed.FleetEvents;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerPresenceTest {
    private static final WorkerProfile WELL =
            WorkerProfile.of(new WorkerId("w1"), List.of("echo"), 1);
    private static final WorkerProfile SICK = WELL.with(Availability.UNHEALTHY);

    @Test
    void ofItsOwnWorkerAlone_clientsShareTheSlots() {
        var own = WorkerProfile.of(OwnWorkers.ACTIONS, List.of("http_request"), 32);

        assertThat(WorkerPresence.own(own).slots().areShared()).isTrue();
        assertThat(WorkerPresence.own(WELL).slots().areShared()).isFalse();
    }

    /// Trap: a worker offers `http_request` and gets the tasks of others with the secrets in their parameters, by what it declares when it
    /// registers, or later.
    @Test
    void typesThatTheOrchestratorDoesItself_areTakenOutOfWhatOthersOffer() {
        var joined = new ArrayList<WorkerProfile>();
        var types = List.of("echo", "set", "http_request");
        var profile =
                WELL.with(new Capabilities(types.subList(0, 2), types, types, List.of("a-model")));
        var own = WorkerProfile.of(OwnWorkers.ACTIONS, List.of("set", "http_request"), 32);

        joined(List.of("set", "http_request"), joined, WELL, profile, own);
        joined(List.of(), joined, profile);

        assertThat(joined)
                .extracting(WorkerProfile::capabilities)
                .containsExactly(
                        WELL.capabilities(),
                        new Capabilities(
                                List.of("echo"),
                                List.of("echo"),
                                List.of("echo"),
                                List.of("a-model")),
                        own.capabilities(),
                        profile.capabilities());
    }

    /// What of `profiles` the engine hears.
    private static void joined(
            List<String> ownTypes, List<WorkerProfile> heard, WorkerProfile... profiles) {
        joined(Optional.empty(), ownTypes, heard, profiles);
    }

    private static void joined(
            Optional<Path> folder,
            List<String> ownTypes,
            List<WorkerProfile> heard,
            WorkerProfile... profiles) {
        try (var engine = engine();
                var accessControl = access(folder)) {
            var relay =
                    new WorkerPortRelay(engine) {
                        @Override
                        public void joined(WorkerProfile profile) {
                            heard.add(profile);
                        }
                    };
            var presence = new WorkerPresence(relay, accessControl, new FleetEvents(0), ownTypes);
            for (var profile : profiles) {
                presence.joined(profile);
            }
        }
    }

    /// Trap: a worker passes tasks round under the many names of its token, each of which counts for itself.
    @Test
    void theEngineHears_whoseTokenAWorkerHas(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("workers.toml"),
                """
                ["gpu-*"]
                token = "token-of-gpus-0123456789"
                [w1]
                token = "token-of-w1-0123456789"
                """);
        var joined = new ArrayList<WorkerProfile>();
        var gpu = WorkerProfile.of(new WorkerId("gpu-3"), List.of("echo"), 1);
        var other = WorkerProfile.of(new WorkerId("other"), List.of("echo"), 1);

        joined(Optional.of(folder), List.of(), joined, gpu.heldBy("another"), WELL, other);

        assertThat(joined)
                .extracting(WorkerProfile::holder)
                .containsExactly("gpu-*", WELL.id().value(), "");
    }

    private static LocalEngine engine() {
        return LocalEngine.start(
                EngineConfig.DEFAULTS,
                new InMemoryEventStore(),
                new InMemoryPayloadStore(),
                Blueprints.of(),
                InstantSource.system());
    }

    private static AccessControl access() {
        return access(Optional.empty());
    }

    private static AccessControl access(Optional<Path> folder) {
        return new AccessControl(
                AccessSettings.DEFAULTS,
                folder,
                new Secret("client-token-of-the-tests"),
                new Secret("worker-token-of-the-tests"),
                "the settings",
                InstantSource.system());
    }

    /// Trap: each heartbeat of a worker is published.
    @Test
    void whatHappensToAWorker_isReportedOnce_howeverOftenItSpeaks() {
        var published = new ArrayList<String>();
        var fleetEvents = new FleetEvents(0);
        fleetEvents.addListener((type, _) -> published.add(type));
        try (var engine = engine();
                var accessControl = access()) {
            var workerPresence = new WorkerPresence(engine, accessControl, fleetEvents, List.of());

            workerPresence.joined(WELL);
            workerPresence.joined(WELL);
            workerPresence.joined(SICK);
            workerPresence.joined(SICK);
            workerPresence.joined(WELL);
            workerPresence.joined(SICK);
            workerPresence.left(WELL.id(), LeaseEnd.Lost.WORKER_GONE);
            workerPresence.left(WELL.id(), LeaseEnd.Lost.WORKER_GONE);
            workerPresence.joined(WELL);
        }

        assertThat(published)
                .containsExactly(
                        "worker.joined",
                        "worker.unhealthy",
                        "worker.healthy",
                        "worker.unhealthy",
                        "worker.left",
                        "worker.joined");
    }

    /// Trap: a worker registers with a type of the orchestrator and leaves, again and again, and the log fills the disk.
    @Test
    void workersThatOfferTypesOfTheOrchestrator_haveSomeLinesAMinute() {
        try (var engine = engine();
                var accessControl = access();
                var lines = LogLines.of(WorkerPresence.class.getName())) {
            var workerPresence =
                    new WorkerPresence(engine, accessControl, new FleetEvents(0), List.of("echo"));
            for (var i = 0; i < 2 * WorkerPresence.MOST_LINES; i++) {
                workerPresence.joined(WELL);
                workerPresence.left(WELL.id(), LeaseEnd.Lost.WORKER_GONE);
            }

            assertThat(lines.texts()).hasSize(WorkerPresence.MOST_LINES);
        }
    }
}
