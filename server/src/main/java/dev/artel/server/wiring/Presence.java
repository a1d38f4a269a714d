package dev.artel.server.wiring;

import dev.artel.engine.shell.DeliveriesRelay;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.Deliveries;
import dev.artel.kernel.fleet.Skills;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.server.access.Access;
import dev.artel.server.feed.FleetNews;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the workers that come and go on their way to the engine, tells of them, and hides from it what their tokens
/// are not good for.
final class Presence extends DeliveriesRelay {
    private final Access access;
    private final FleetNews news;
    private final Set<WorkerId> present = ConcurrentHashMap.newKeySet();

    Presence(Deliveries engine, Access access, FleetNews news) {
        super(engine);
        this.access = access;
        this.news = news;
    }

    @Override
    public void joined(WorkerProfile profile) {
        if (present.add(profile.id())) {
            news.tell(
                    "worker.joined",
                    JsonObject.of(
                            "worker_id",
                            JsonValue.of(profile.id().value()),
                            "at",
                            JsonValue.of(Instant.now().toString())));
        }
        super.joined(permitted(profile));
    }

    private WorkerProfile permitted(WorkerProfile profile) {
        var said = profile.skills();
        var known = access.tasksFor(profile.id(), said.known());
        var limited = profile.forClients(access.clientsFor(profile.id()));
        return known.equals(said.known())
                ? limited
                : limited.with(
                        new Skills(
                                access.tasksFor(profile.id(), said.tasks()),
                                known,
                                access.tasksFor(profile.id(), said.hot()),
                                said.loaded()));
    }

    @Override
    public void left(WorkerId worker, LeaseEnding reason) {
        if (present.remove(worker)) {
            news.tell(
                    "worker.left",
                    JsonObject.builder()
                            .put("worker_id", worker.value())
                            .put("reason", reason.text())
                            .put("at", Instant.now().toString())
                            .build());
        }
        super.left(worker, reason);
    }
}
