package dev.artel.session;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.Capabilities;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerCosts;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerResources;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Limits;
import dev.artel.protocol.Readiness;
import dev.artel.protocol.Register;
import dev.artel.protocol.WorkerMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a worker has declared about itself, the latest value of each point.
///
/// @param registration null for a worker that has sent nothing but heartbeats
/// @param available the task types that it would take now
/// @param known the task types that it has offered so far
/// @param hotSkills null if it never declared any
/// @param record the same in the form of its own messages
/// @param registrationBytes about how much memory the registration takes, also when heartbeats have replaced all of it in the record
/// @param last what lasts of the heartbeat that brought some of it and would bring nothing new now; null if there is none
record WorkerStatus(
        @Nullable Register registration,
        Readiness.Status status,
        List<String> available,
        List<String> known,
        List<String> hotCache,
        @Nullable List<String> hotSkills,
        JsonObject record,
        long registrationBytes,
        Heartbeat.@Nullable Full last) {
    /// How many task types are remembered that a worker does not offer now.
    private static final int MAX_KNOWN = 1000;

    /// What of a heartbeat becomes part of the record. Not the tasks in work: their ids are lease tokens.
    private static final List<String> RECORDED =
            List.of(
                    "load",
                    "status",
                    "supported_tasks",
                    "hot_cache",
                    "skill_dependencies",
                    "hot_skills");

    /// Whether it has the record of `other`, the same one: a heartbeat that brought nothing new leaves it as it is.
    @SuppressWarnings("ReferenceEquality") // one record, not an equal one
    boolean hasRecordOf(WorkerStatus other) {
        return record == other.record;
    }

    static WorkerStatus of(Register message) {
        var ready = message.readiness();
        var namesHot =
                !ready.hotSkills().isEmpty() || !message.profile().skillDependencies().isEmpty();
        var record = message.toJson();
        return new WorkerStatus(
                message,
                ready.status(),
                message.profile().names(),
                message.profile().names(),
                ready.hotCache(),
                namesHot ? ready.hotSkills() : null,
                record,
                StatusRoom.weight(record),
                null);
    }

    /// A worker of which nothing is known but that it lives.
    static WorkerStatus unregistered(WorkerId worker) {
        return new WorkerStatus(
                null,
                Readiness.Status.IDLE,
                List.of(),
                List.of(),
                List.of(),
                null,
                JsonObject.builder().put("worker_id", worker.value()).build(),
                0,
                null);
    }

    /// This status after another heartbeat; itself if that brings nothing new.
    WorkerStatus merge(Heartbeat.Full message) {
        var lasting = lasting(message);
        if (lasting.equals(last)) {
            return this;
        }
        var hotState = message.hotState();
        return new WorkerStatus(
                registration,
                message.status() == null ? status : message.status(),
                message.available() == null ? available : message.available(),
                message.available() == null ? known : union(message.available()),
                hotState.hotCache() == null ? hotCache : hotState.hotCache(),
                hotState.hotSkills() == null ? hotSkills : hotState.hotSkills(),
                record.merge(recorded(lasting.toJson())),
                registrationBytes,
                lasting);
    }

    /// `message` without what each heartbeat states anew: ten thousand leases are a megabyte that nobody looks at again.
    private static Heartbeat.Full lasting(Heartbeat.Full message) {
        return new Heartbeat.Full(
                message.workerId(),
                message.status(),
                message.load(),
                message.available(),
                message.hotState(),
                null);
    }

    /// This status in the process that `message` names: its registration may not have been kept, or not yet, when the orchestrator was
    /// killed.
    WorkerStatus in(Heartbeat message) {
        if (registration == null
                || !(message instanceof Heartbeat.Full full)
                || full.instance() == null) {
            return this;
        }
        var named = registration.named(full.instance());
        return new WorkerStatus(
                named,
                status,
                available,
                known,
                hotCache,
                hotSkills,
                record,
                StatusRoom.weight(named.toJson()),
                last);
    }

    private static JsonObject recorded(JsonObject heartbeat) {
        var kept = JsonObject.builder();
        for (var name : RECORDED) {
            heartbeat.get(name).ifPresent(value -> kept.put(name, value));
        }
        return kept.build();
    }

    /// The process of the worker; unknown where nothing but heartbeats came.
    WorkerInstance instance() {
        var name = registration == null ? null : registration.origin().instance();
        return name == null ? WorkerInstance.UNKNOWN : WorkerInstance.named(name);
    }

    /// The term that the worker asked for within what is allowed, or `otherwise`.
    Duration term(Duration otherwise) {
        var asked = registration == null ? null : registration.wishes().lease();
        if (asked == null) {
            return otherwise;
        }
        if (asked.compareTo(Register.SHORTEST_LEASE) < 0) {
            return Register.SHORTEST_LEASE;
        }
        return asked.compareTo(Register.LONGEST_LEASE) > 0 ? Register.LONGEST_LEASE : asked;
    }

    private List<String> union(List<String> more) {
        var all = new LinkedHashSet<>(known);
        if (!all.addAll(more)) {
            return known;
        }
        return all.size() > MAX_KNOWN ? more : List.copyOf(all);
    }

    /// This status of a worker that asks for work: it has room again, whatever it reported before, for what the poll names.
    WorkerStatus asking(WorkerMessage.Poll poll) {
        var reportsBusy = status == Readiness.Status.BUSY || status == Readiness.Status.FULL;
        var room = poll.available() == null ? available : poll.available();
        var hot = poll.available() == null ? hotSkills : poll.hotSkills();
        var hotNow = poll.available() != null && hot == null ? List.<String>of() : hot;
        if (!reportsBusy && room.equals(available) && Objects.equals(hotNow, hotSkills)) {
            return this;
        }
        return new WorkerStatus(
                registration,
                reportsBusy ? Readiness.Status.IDLE : status,
                room,
                union(room),
                hotCache,
                hotNow,
                record,
                registrationBytes,
                null);
    }

    /// What placement looks at.
    ///
    /// @param drains whether the worker has asked for no more work
    WorkerProfile profile(WorkerId worker, boolean drains) {
        var profile = registration == null ? null : registration.profile();
        return new WorkerProfile(
                        worker,
                        new Capabilities(
                                available,
                                known,
                                hotSkills == null ? hotCache : hotSkills,
                                hotCache),
                        profile == null ? UNDECLARED_SLOTS : Profiles.slots(profile),
                        profile == null ? WorkerResources.NONE : Profiles.equipment(profile),
                        profile == null ? WorkerCosts.UNKNOWN : Profiles.prices(profile.costs()),
                        condition(drains),
                        1)
                .as(instance());
    }

    private Availability condition(boolean drains) {
        return switch (status) {
            case DRAINING, OFFLINE -> Availability.DRAINING;
            case IDLE -> drains ? Availability.DRAINING : Availability.READY;
            case BUSY, FULL -> drains ? Availability.DRAINING : Availability.BUSY;
        };
    }

    private static final Slots UNDECLARED_SLOTS =
            new Slots(
                    Limits.DEFAULT_CONCURRENT_TASKS, new LinkedHashMap<>(), new LinkedHashMap<>());
}
