package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the dispatcher knows of one worker: its profile, its slots and its asks. Single-threaded.
final class ConnectedWorker {
    final WorkerId id;

    /// Where it stands on the [WorkerIndex].
    final int place;

    /// Until when its asks are refused; it does not ask meanwhile, but would.
    Instant limitedUntil = Instant.MIN;

    /// What it gave back lately; null: nothing.
    GivenBack.@Nullable Account givenBack;

    /// When it gave something back last, or came: see [CameBack].
    long lastBack;

    /// Whose token it has, or had when it was here.
    private String holder = "";

    /// Empty for a worker of which only leases are known, after a restart.
    private @Nullable WorkerProfile profile;

    private List<TaskTypeIndex> offers = List.of();
    private List<TaskTypeIndex> takes = List.of();

    /// Reserved, live and lingering alike: each occupies a slot.
    private final SequencedMap<LeaseToken, Slot> slots = new LinkedHashMap<>();

    /// Category to the slots that it takes up; only those that have a limit.
    private final Map<String, Integer> crowds = new LinkedHashMap<>(0);

    /// The same for each client that has one, where clients share them.
    private final Map<Crowd, Integer> crowdsOfClients = new LinkedHashMap<>(0);

    /// Whether some category has a limit.
    private boolean isLimited;

    /// The oldest first; a worker has few at once.
    private final List<TaskRequest> taskRequests = new ArrayList<>(1);

    ConnectedWorker(WorkerId id, int place) {
        this.id = id;
        this.place = place;
    }

    /// Over which wire it gets tasks; that of HTTP where no profile is known.
    String wire() {
        return profile == null ? WorkerProfile.HTTP : profile.wire();
    }

    /// Its process; unknown where no profile is known.
    WorkerInstance instance() {
        return profile == null ? WorkerInstance.UNKNOWN : profile.instance();
    }

    /// See [WorkerProfile#holder]; also of a worker that has left, and gives something back then.
    String holder() {
        return holder;
    }

    private record Crowd(String category, String client) {}

    /// What takes up a slot.
    static final class Slot {
        final JobId job;
        final LeaseToken token;
        final ConnectedWorker connectedWorker;
        final TaskOutline task;

        /// Whose task it is; empty: that is not known, as the lease is of an earlier process.
        final String client;

        /// Whether it was revoked, and only its worker is waited for.
        boolean lingers;

        /// The category against whose limit it counts; null if there is none.
        private @Nullable String counted;

        /// Its neighbours among those of the same job.
        @Nullable Slot before;

        @Nullable Slot after;

        private Slot(
                JobId job,
                LeaseToken token,
                ConnectedWorker connectedWorker,
                TaskOutline task,
                String client) {
            this.client = client;
            this.job = job;
            this.token = token;
            this.connectedWorker = connectedWorker;
            this.task = task;
        }
    }

    /// A worker's wish for tasks.
    static final class TaskRequest {
        final long id;
        final ConnectedWorker connectedWorker;
        final int max;

        /// How many are granted, and not yet durable.
        int reserved;

        final List<HandOut> ready = new ArrayList<>(1);

        /// Whether the first of its grants is durable: it takes no more, and is answered with the last.
        boolean closing;

        /// Until when those that are ready wait for the others, by the steady clock; [Instant#MAX] if they do not.
        Instant handOutAt = Instant.MAX;

        /// Whether it was answered or withdrawn.
        boolean over;

        TaskRequest(long id, ConnectedWorker connectedWorker, int max) {
            this.id = id;
            this.connectedWorker = connectedWorker;
            this.max = max;
        }

        /// Whether something is ready and waits for the others.
        boolean isAwaited() {
            return handOutAt.isBefore(Instant.MAX);
        }

        private boolean wantsMore() {
            return !closing && reserved + ready.size() < max;
        }
    }

    @Nullable WorkerProfile profile() {
        return profile;
    }

    /// What there is to know about the types that it has ever offered.
    List<TaskTypeIndex> offers() {
        return offers;
    }

    /// What there is to know about the types that it takes now, in its order.
    List<TaskTypeIndex> takes() {
        return takes;
    }

    /// @param facts of a type
    void profile(@Nullable WorkerProfile next, Function<String, TaskTypeIndex> facts) {
        profile = next;
        holder = next == null ? holder : next.holder();
        var known = next == null ? List.<String>of() : next.capabilities().known();
        var tasks = next == null ? List.<String>of() : next.tasks();
        offers = listed(known, facts);
        takes = tasks.equals(known) ? offers : listed(tasks, facts);
        isLimited = next != null && !next.slots().limits().isEmpty();
        crowds.clear();
        crowdsOfClients.clear();
        slots.values().forEach(this::count);
    }

    private static List<TaskTypeIndex> listed(
            List<String> types, Function<String, TaskTypeIndex> facts) {
        return types.stream().distinct().map(facts).toList();
    }

    // Slots

    SequencedSet<LeaseToken> tokens() {
        return slots.sequencedKeySet();
    }

    int used() {
        return slots.size();
    }

    boolean occupies(LeaseToken token) {
        return slots.containsKey(token);
    }

    @Nullable Slot slot(LeaseToken token) {
        return slots.get(token);
    }

    /// What takes up its slots.
    Collection<Slot> slots() {
        return slots.values();
    }

    /// A task takes up a slot that it did not have before.
    ///
    /// @param client whose task it is; empty: that is not known
    Slot occupy(JobId job, LeaseToken token, TaskOutline task, String client) {
        var slot = new Slot(job, token, this, task, client);
        slots.put(token, slot);
        return slot;
    }

    /// Whether a category may have got room.
    boolean free(Slot slot) {
        slots.remove(slot.token);
        if (slot.counted == null) {
            return false;
        }
        crowds.merge(slot.counted, -1, Integer::sum);
        crowdsOfClients.computeIfPresent(
                new Crowd(slot.counted, slot.client),
                (_, count) -> count == 1 ? null : (Integer) (count - 1));
        return true;
    }

    /// Counts a slot against its category; whether that may have become full.
    boolean count(Slot slot) {
        slot.counted = null;
        if (!isLimited || profile == null) {
            return false;
        }
        var category = profile.slots().categoryOf(slot.task.type(), slot.task.demand().category());
        if (category.filter(profile.slots().limits()::containsKey).isEmpty()) {
            return false;
        }
        slot.counted = category.get();
        crowds.merge(category.get(), 1, Integer::sum);
        if (profile.slots().areShared()) {
            crowdsOfClients.merge(new Crowd(category.get(), slot.client), 1, Integer::sum);
        }
        return true;
    }

    /// How many slots a category takes up.
    int crowd(String category) {
        return crowds.getOrDefault(category, 0);
    }

    /// How many slots the tasks of a client in a category take up, where clients share them.
    int crowd(String category, String client) {
        return crowdsOfClients.getOrDefault(new Crowd(category, client), 0);
    }

    /// Whether clients share the slots of a category.
    boolean isShared() {
        return isLimited && profile != null && profile.slots().areShared();
    }

    /// Whether it takes no task of `type` of `client` because of the type, its category, or what the client has of that.
    boolean isCrowded(String type, Optional<String> declared, String client) {
        if (isCrowded(type, declared)) {
            return true;
        }
        if (profile == null || !isShared()) {
            return false;
        }
        var category = profile.slots().categoryOf(type, declared);
        var limit = category.map(profile.slots().limits()::get);
        if (limit.isEmpty()) {
            return false;
        }
        var own = crowd(category.get(), client);
        return own >= profile.slots().mostOfClient(limit.get(), crowd(category.get()) - own);
    }

    /// Whether it takes no task of `type` because of the type or its category.
    boolean isCrowded(String type, Optional<String> declared) {
        if (profile == null || !profile.tasks().contains(type)) {
            return true;
        }
        var category =
                isLimited ? profile.slots().categoryOf(type, declared) : Optional.<String>empty();
        if (category.isEmpty()) {
            return false;
        }
        var limit = profile.slots().limits().get(category.get());
        return limit != null && crowd(category.get()) >= limit;
    }

    // Asks

    List<TaskRequest> asks() {
        return taskRequests;
    }

    TaskRequest ask(long number, int max) {
        var taskRequest = new TaskRequest(number, this, max);
        taskRequests.add(taskRequest);
        return taskRequest;
    }

    void forget(TaskRequest taskRequest) {
        taskRequest.over = true;
        taskRequests.remove(taskRequest);
    }

    /// The oldest ask that takes more.
    @Nullable TaskRequest openAsk() {
        for (var i = 0; i < taskRequests.size(); i++) {
            var taskRequest = taskRequests.get(i);
            if (taskRequest.wantsMore()) {
                return taskRequest;
            }
        }
        return null;
    }

    boolean isForgettable() {
        return profile == null && slots.isEmpty() && taskRequests.isEmpty();
    }
}
