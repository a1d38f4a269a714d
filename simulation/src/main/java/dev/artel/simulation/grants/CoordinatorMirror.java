package dev.artel.simulation.grants;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is on a coordinator according to its inputs and outputs: offers, slots, workers and their asks. Knows nothing of the
/// rules by which the coordinator chooses.
final class CoordinatorMirror {
    private final SequencedMap<Key, Waiting> offers = new LinkedHashMap<>();
    private final Map<JobId, Set<Key>> offersByJob = new HashMap<>();
    private final Map<LeaseToken, Slot> slots = new LinkedHashMap<>();
    private final Map<JobId, Set<LeaseToken>> slotsByJob = new HashMap<>();
    private final SequencedMap<WorkerId, Seat> seats = new LinkedHashMap<>();
    private final Map<Long, WorkerId> asks = new HashMap<>();
    private final Changes changes;
    private long inputs;

    /// Hears of what comes and goes.
    interface Changes {
        /// A task waits from now on.
        void comes(Waiting offer);

        /// A task waits no more, or is about to be given to a worker.
        void goes(Waiting offer);

        /// A task takes up a slot.
        void takes(TaskOutline task);

        /// A task takes up no slot any more.
        ///
        /// @param given false if it was not given to its worker after all
        void leaves(TaskOutline task, boolean given);
    }

    CoordinatorMirror(Changes changes) {
        this.changes = changes;
    }

    /// The name of an offer.
    record Key(JobId job, EffectId offer) {}

    /// An offer on the coordinator.
    static final class Waiting {
        final Key key;
        final Effect.Offer offer;

        /// With which input it came.
        private final long since;

        /// Whether the coordinator has chosen a worker for it before.
        boolean granted;

        /// Whether nothing but turns has ever kept it waiting.
        boolean plain;

        Waiting(Key key, Effect.Offer offer, long since) {
            this.key = key;
            this.offer = offer;
            this.since = since;
        }
    }

    private static final class Slot {
        final JobId job;
        final WorkerId worker;
        final TaskOutline task;

        /// Whether its grant is under way.
        boolean reserved;

        /// Whether it was revoked.
        boolean lingers;

        Slot(JobId job, WorkerId worker, TaskOutline task, boolean reserved) {
            this.job = job;
            this.worker = worker;
            this.task = task;
            this.reserved = reserved;
        }
    }

    /// What is known of a worker.
    static final class Seat {
        @Nullable WorkerProfile profile;
        private final Set<Slot> slots = new LinkedHashSet<>(4);
        private int reserved;
        private final Set<Long> asks = new LinkedHashSet<>(2);

        /// Whether it asks, has room, and no grant is under way to it that may be the answer.
        boolean isReady() {
            return profile != null
                    && slots.size() < profile.capacity()
                    && reserved == 0
                    && !asks.isEmpty();
        }

        /// Whether its category leaves room for another task of `type`.
        boolean hasRoomFor(String type) {
            var declared = profile;
            var category = declared == null ? null : limitedCategory(declared.slots(), type);
            return declared == null
                    || category == null
                    || crowd(declared.slots(), category) < limit(declared, category);
        }

        /// Tasks name no categories here.
        private static @Nullable String limitedCategory(Slots declared, String type) {
            return declared.categoryOf(type, Optional.empty())
                    .filter(declared.limits()::containsKey)
                    .orElse(null);
        }

        private static int limit(WorkerProfile profile, String category) {
            return profile.slots().limits().getOrDefault(category, Integer.MAX_VALUE);
        }

        private int crowd(Slots declared, String category) {
            var count = 0;
            for (var slot : slots) {
                count += category.equals(limitedCategory(declared, slot.task.type())) ? 1 : 0;
            }
            return count;
        }

        private @Nullable String excess(TaskOutline task) {
            var declared = profile;
            if (declared == null) {
                return null;
            }
            if (slots.size() > declared.capacity()) {
                return slots.size() + " tasks, and takes " + declared.capacity();
            }
            var category = limitedCategory(declared.slots(), task.type());
            var count = category == null ? 0 : crowd(declared.slots(), category);
            return category == null || count <= limit(declared, category)
                    ? null
                    : count + " tasks of " + category + ", and takes " + limit(declared, category);
        }

        Availability condition() {
            return profile == null ? Availability.UNHEALTHY : profile.availability();
        }

        List<String> types() {
            return profile == null ? List.of() : profile.tasks();
        }
    }

    // Inputs of the coordinator

    /// Before the coordinator takes `input` in: what it frees, and what it adds to the queue.
    void before(CoordinatorInput input) {
        inputs++;
        switch (input) {
            case CoordinatorInput.Effects(var job, var asked, var ended) -> {
                asked.forEach(this::linger);
                ended.forEach(effect -> release(job, effect));
                asked.forEach(effect -> offer(job, effect));
            }
            case CoordinatorInput.AllPending(var job, var pending) -> {
                keepOnly(job, pending);
                pending.forEach(effect -> offer(job, effect));
            }
            case CoordinatorInput.Unreadable(var job) ->
                    List.copyOf(offersByJob.getOrDefault(job, Set.of())).forEach(this::withdraw);
            case CoordinatorInput.GrantLapsed(var token) -> {
                var slot = slots.get(token);
                if (slot != null && slot.reserved) {
                    vacate(token, false);
                }
            }
            case CoordinatorInput.Joined(var profile) -> seat(profile.id()).profile = profile;
            case CoordinatorInput.Left(var worker, var _) -> {
                seat(worker).profile = null;
                List.copyOf(seat(worker).asks).forEach(this::answered);
            }
            case CoordinatorInput.Asked(long ask, var worker, int _) -> {
                asks.put(ask, worker);
                seat(worker).asks.add(ask);
            }
            case CoordinatorInput.Withdrawn(long ask) -> answered(ask);
            default -> {
                // is about leases and time
            }
        }
    }

    /// After the coordinator has taken `input` in: the leases that it holds.
    void after(CoordinatorInput input) {
        switch (input) {
            case CoordinatorInput.Effects(var job, var asked, var _) ->
                    asked.forEach(effect -> hold(job, effect));
            case CoordinatorInput.AllPending(var job, var pending) ->
                    pending.forEach(effect -> hold(job, effect));
            default -> {
                // is not about leases
            }
        }
    }

    private Seat seat(WorkerId worker) {
        return seats.computeIfAbsent(worker, _ -> new Seat());
    }

    private void offer(JobId job, Effect effect) {
        if (effect instanceof Effect.Offer offer) {
            var key = new Key(job, offer.id());
            if (!offers.containsKey(key)) {
                var waiting = new Waiting(key, offer, inputs);
                offers.put(key, waiting);
                offersByJob.computeIfAbsent(job, _ -> new LinkedHashSet<>()).add(key);
                changes.comes(waiting);
            }
        }
    }

    private void withdraw(Key key) {
        var waiting = offers.remove(key);
        if (waiting == null) {
            return;
        }
        var ofJob = offersByJob.get(key.job());
        if (ofJob != null && ofJob.remove(key) && ofJob.isEmpty()) {
            offersByJob.remove(key.job());
        }
        if (!waiting.granted) {
            changes.goes(waiting);
        }
    }

    private void linger(Effect effect) {
        if (effect instanceof Effect.Revoke revoke) {
            var slot = slots.get(revoke.lease().token());
            if (slot != null) {
                slot.lingers = true;
            }
        }
    }

    private void release(JobId job, Effect effect) {
        switch (effect) {
            case Effect.Offer offer -> withdraw(new Key(job, offer.id()));
            case Effect.HoldLease hold -> {
                var slot = slots.get(hold.lease().token());
                if (slot != null && !slot.lingers) {
                    vacate(hold.lease().token(), true);
                }
            }
            case Effect.Revoke revoke -> vacate(revoke.lease().token(), true);
            default -> {
                // takes up no slot
            }
        }
    }

    private void keepOnly(JobId job, List<? extends Effect> pending) {
        var kept = new HashSet<Key>();
        var tokens = new HashSet<LeaseToken>();
        for (var effect : pending) {
            switch (effect) {
                case Effect.Offer offer -> kept.add(new Key(job, offer.id()));
                case Effect.HoldLease hold -> tokens.add(hold.lease().token());
                case Effect.Revoke revoke -> tokens.add(revoke.lease().token());
                default -> {
                    // takes up no slot
                }
            }
        }
        for (var key : List.copyOf(offersByJob.getOrDefault(job, Set.of()))) {
            if (!kept.contains(key)) {
                withdraw(key);
            }
        }
        for (var token : List.copyOf(slotsByJob.getOrDefault(job, Set.of()))) {
            var slot = slots.get(token);
            if (slot != null && !slot.reserved && !tokens.contains(token)) {
                vacate(token, true);
            }
        }
    }

    private void hold(JobId job, Effect effect) {
        switch (effect) {
            case Effect.HoldLease hold ->
                    hold(job, hold.lease().token(), hold.lease().worker(), hold.outline(), false);
            case Effect.Revoke revoke ->
                    hold(
                            job,
                            revoke.lease().token(),
                            revoke.lease().worker(),
                            revoke.outline(),
                            true);
            default -> {
                // takes up no slot
            }
        }
    }

    private void hold(
            JobId job, LeaseToken token, WorkerId worker, TaskOutline task, boolean lingers) {
        var slot = slots.get(token);
        if (slot == null) {
            slot = occupy(job, token, worker, task, false);
        }
        if (slot.reserved) {
            slot.reserved = false;
            seat(slot.worker).reserved--;
        }
        slot.lingers |= lingers;
    }

    private Slot occupy(
            JobId job, LeaseToken token, WorkerId worker, TaskOutline task, boolean reserved) {
        var slot = new Slot(job, worker, task, reserved);
        slots.put(token, slot);
        slotsByJob.computeIfAbsent(job, _ -> new LinkedHashSet<>()).add(token);
        var seat = seat(worker);
        seat.slots.add(slot);
        seat.reserved += reserved ? 1 : 0;
        changes.takes(task);
        return slot;
    }

    private void vacate(LeaseToken token, boolean given) {
        var slot = slots.remove(token);
        if (slot == null) {
            return;
        }
        var ofJob = slotsByJob.get(slot.job);
        if (ofJob != null && ofJob.remove(token) && ofJob.isEmpty()) {
            slotsByJob.remove(slot.job);
        }
        var seat = seat(slot.worker);
        seat.slots.remove(slot);
        seat.reserved -= slot.reserved ? 1 : 0;
        changes.leaves(slot.task, given);
    }

    // What the coordinator sends

    /// The offer that is granted, if it was on the coordinator; it waits no more.
    @Nullable Waiting granted(JobId job, EffectId offer) {
        var waiting = offers.get(new Key(job, offer));
        if (waiting != null && !waiting.granted) {
            waiting.granted = true;
            changes.goes(waiting);
        }
        return waiting;
    }

    /// A worker was chosen for `task`.
    void takes(JobId job, JobCommand.Grant grant, TaskOutline task) {
        occupy(job, grant.token(), grant.worker(), task, true);
    }

    /// An ask is answered, or over.
    void answered(long ask) {
        var worker = asks.remove(ask);
        if (worker != null) {
            seat(worker).asks.remove(ask);
        }
    }

    // AskedQuestions

    /// Whether `offer` has come with the input that is being dealt with.
    boolean isNew(Waiting offer) {
        return offer.since == inputs;
    }

    Collection<Waiting> offers() {
        return offers.values();
    }

    /// What takes up slots.
    List<TaskOutline> tasks() {
        var tasks = new ArrayList<TaskOutline>();
        slots.values().forEach(slot -> tasks.add(slot.task));
        return tasks;
    }

    SequencedMap<WorkerId, Seat> seats() {
        return seats;
    }

    /// What `worker` has more of than it takes, with `task`, which it has been granted; null if there is nothing. An attempt that
    /// has asked something goes on without a new grant, and so past the limits of other categories.
    @Nullable String excess(WorkerId worker, TaskOutline task) {
        return seat(worker).excess(task);
    }

    /// The types of which `worker` takes another task now.
    List<String> typesOf(WorkerId worker) {
        var seat = seat(worker);
        return seat.types().stream().filter(seat::hasRoomFor).toList();
    }
}
