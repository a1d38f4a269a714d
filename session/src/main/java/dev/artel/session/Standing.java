package dev.artel.session;

import dev.artel.json.JsonObject;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.protocol.Costs;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Limits;
import dev.artel.protocol.Readiness;
import dev.artel.protocol.Register;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker has said about itself, the latest word on each point.
///
/// @param registration null for a worker that has sent nothing but heartbeats
/// @param available the task types that it would take now
/// @param hotSkills null if it never said
/// @param record the same in the form of its own messages
record Standing(
        @Nullable Register registration,
        Readiness.Status status,
        List<String> available,
        List<String> hotCache,
        @Nullable List<String> hotSkills,
        JsonObject record) {

    static Standing of(Register said) {
        var ready = said.readiness();
        var saysHot = !ready.hotSkills().isEmpty() || !said.profile().skillDependencies().isEmpty();
        return new Standing(
                said,
                ready.status(),
                said.profile().names(),
                ready.hotCache(),
                saysHot ? ready.hotSkills() : null,
                said.toJson());
    }

    /// A worker of which nothing is known but that it lives.
    static Standing unregistered(WorkerId worker) {
        return new Standing(
                null,
                Readiness.Status.IDLE,
                List.of(),
                List.of(),
                null,
                JsonObject.builder().put("worker_id", worker.value()).build());
    }

    Standing merge(Heartbeat.Full said) {
        var warmth = said.warmth();
        return new Standing(
                registration,
                said.status() == null ? status : said.status(),
                said.available() == null ? available : said.available(),
                warmth.hotCache() == null ? hotCache : warmth.hotCache(),
                warmth.hotSkills() == null ? hotSkills : warmth.hotSkills(),
                record.merge(said.toJson()));
    }

    /// The process that speaks; null if it does not say.
    @Nullable String instance() {
        return registration == null ? null : registration.origin().instance();
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

    /// What placement looks at.
    ///
    /// @param drains whether the worker has asked for no more work
    WorkerProfile profile(WorkerId worker, boolean drains) {
        var costs = registration == null ? Costs.UNKNOWN : registration.profile().costs();
        var leaves = status == Readiness.Status.DRAINING || status == Readiness.Status.OFFLINE;
        return new WorkerProfile(
                worker,
                available,
                capacity(),
                hotSkills == null ? hotCache : hotSkills,
                costs.perSkill(),
                cost(costs),
                drains || leaves);
    }

    private int capacity() {
        return registration == null
                ? Limits.DEFAULT_CONCURRENT_TASKS
                : Math.max(1, registration.profile().limits().maxConcurrentTasks());
    }

    private static double cost(Costs costs) {
        if (costs.perTask() != null) {
            return costs.perTask();
        }
        return costs.perSecond() != null ? costs.perSecond() : Double.POSITIVE_INFINITY;
    }
}
