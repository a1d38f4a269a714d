package dev.artel.server.wiring;

import dev.artel.engine.shell.DeliveriesRelay;
import dev.artel.json.JsonObject;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.Deliveries;
import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.Skills;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.server.access.Access;
import dev.artel.server.feed.FleetNews;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the workers that come and go on their way to the engine, reports them, and hides from it what their tokens
/// do not allow.
final class Presence extends DeliveriesRelay {
    private final Access access;
    private final FleetNews news;
    private final Set<WorkerId> present = ConcurrentHashMap.newKeySet();
    private final Set<WorkerId> unhealthy = ConcurrentHashMap.newKeySet();

    Presence(Deliveries engine, Access access, FleetNews news) {
        super(engine);
        this.access = access;
        this.news = news;
    }

    @Override
    public void joined(WorkerProfile profile) {
        var worker = profile.id();
        if (present.add(worker)) {
            news.tell("worker.joined", at(worker).build());
        }
        if (profile.condition() == Condition.UNHEALTHY) {
            if (unhealthy.add(worker)) {
                news.tell("worker.unhealthy", at(worker).build());
            }
        } else if (unhealthy.remove(worker)) {
            news.tell("worker.healthy", at(worker).build());
        }
        super.joined(permitted(profile));
    }

    private static JsonObject.Builder at(WorkerId worker) {
        return JsonObject.builder()
                .put("worker_id", worker.value())
                .put("at", Instant.now().toString());
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
        unhealthy.remove(worker);
        if (present.remove(worker)) {
            news.tell("worker.left", at(worker).put("reason", reason.text()).build());
        }
        super.left(worker, reason);
    }
}
