package dev.artel.server.wiring;

import dev.artel.access.AccessControl;
import dev.artel.engine.shell.WorkerPortRelay;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.Capabilities;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.log.LinesAMinute;
import dev.artel.server.feed.FleetEvents;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the workers that come and go on their way to the engine, reports them, and hides from it what their tokens
/// do not allow.
final class WorkerPresence extends WorkerPortRelay {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPresence.class);

    /// How many lines a minute the log has of workers that offer what they do not get: they choose how often they come.
    static final int MOST_LINES = 60;

    private final LinesAMinute foreignTypes = new LinesAMinute(MOST_LINES);
    private final AccessControl accessControl;
    private final FleetEvents fleetEvents;
    private final Set<String> ownTypes;

    /// The wire of each worker that is there.
    private final Map<WorkerId, String> present = new ConcurrentHashMap<>();

    private final Set<WorkerId> unhealthy = ConcurrentHashMap.newKeySet();

    /// @param ownTypes the task types that no worker but those of the orchestrator itself gets
    WorkerPresence(
            WorkerPort engine,
            AccessControl accessControl,
            FleetEvents fleetEvents,
            Collection<String> ownTypes) {
        super(engine);
        this.ownTypes = Set.copyOf(ownTypes);
        this.accessControl = accessControl;
        this.fleetEvents = fleetEvents;
    }

    @Override
    public void joined(WorkerProfile profile) {
        var worker = profile.id();
        if (present.put(worker, profile.wire()) == null) {
            warnOfOwnTypes(profile);
            fleetEvents.publish("worker.joined", at(worker).build());
        }
        if (profile.availability() == Availability.UNHEALTHY) {
            if (unhealthy.add(worker)) {
                fleetEvents.publish("worker.unhealthy", at(worker).build());
            }
        } else if (unhealthy.remove(worker)) {
            fleetEvents.publish("worker.healthy", at(worker).build());
        }
        super.joined(permitted(own(profile)));
    }

    private static JsonObject.Builder at(WorkerId worker) {
        return JsonObject.builder()
                .put("worker_id", worker.value())
                .put("at", Instant.now().toString());
    }

    /// Clients share what the orchestrator does itself for all of them.
    static WorkerProfile own(WorkerProfile profile) {
        return OwnWorkers.include(profile.id()) ? profile.with(profile.slots().shared()) : profile;
    }

    private WorkerProfile permitted(WorkerProfile profile) {
        var declared = profile.capabilities();
        var known = tasksFor(profile.id(), declared.known());
        var limited =
                profile.forClients(accessControl.clientsFor(profile.id()))
                        .heldBy(accessControl.tokenOf(profile.id()));
        return known.equals(declared.known())
                ? limited
                : limited.with(
                        new Capabilities(
                                tasksFor(profile.id(), declared.tasks()),
                                known,
                                tasksFor(profile.id(), declared.hot()),
                                declared.loaded()));
    }

    private List<String> tasksFor(WorkerId worker, List<String> tasks) {
        var allowed = accessControl.tasksFor(worker, tasks);
        return OwnWorkers.include(worker) || allowed.stream().noneMatch(ownTypes::contains)
                ? allowed
                : allowed.stream().filter(task -> !ownTypes.contains(task)).toList();
    }

    private void warnOfOwnTypes(WorkerProfile profile) {
        var foreign = profile.capabilities().known().stream().filter(ownTypes::contains).toList();
        if (!foreign.isEmpty() && !OwnWorkers.include(profile.id())) {
            foreignTypes.log(
                    LOG.atWarn().addKeyValue("worker", profile.id()).addKeyValue("types", foreign),
                    "a worker offers types that the orchestrator does itself, and gets none of these tasks;"
                            + " actions.shared lets it have some");
        }
    }

    /// Whether `worker` is there, on another wire than `wire`.
    boolean isOnAnotherWireThan(String wire, WorkerId worker) {
        var own = present.get(worker);
        return own != null && !own.equals(wire);
    }

    @Override
    public void left(WorkerId worker, LeaseEnd reason) {
        unhealthy.remove(worker);
        if (present.remove(worker) != null) {
            fleetEvents.publish("worker.left", at(worker).put("reason", reason.text()).build());
        }
        super.left(worker, reason);
    }
}
