package dev.artel.server.api.workers;

import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.CircuitBreaker;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.kernel.fleet.WorkerState;
import dev.artel.server.api.http.ApiJson;
import dev.artel.session.SessionOutput;
import dev.artel.session.WorkerSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A worker as clients see it: what it declares about itself, and over it what the orchestrator knows.
///
/// @param record null for one that came a moment ago
/// @param workerSnapshot null for one that is not there
/// @param slots the leases that occupy its slots
/// @param crowds how many slots each category takes up that has a limit
/// @param guard its circuit breaker; null for one on a wire without breakers
record WorkerDocument(
        WorkerId worker,
        @Nullable WorkerRecord record,
        @Nullable WorkerSnapshot workerSnapshot,
        Collection<LeaseToken> slots,
        Map<String, Integer> crowds,
        @Nullable CircuitBreaker guard) {
    /// What clients see of a worker's own words: what its tasks are placed by.
    private static final Set<String> FOR_ALL =
            Set.of(
                    "worker_type",
                    "status",
                    "load",
                    "supported_tasks",
                    "max_concurrent_tasks",
                    "task_categories",
                    "category_limits",
                    "resources",
                    "installed_models",
                    "cost",
                    "cost_per_second",
                    "cost_per_skill",
                    "skill_dependencies",
                    "hot_cache",
                    "hot_skills",
                    "labels");

    /// What only those see who see all: where it runs, and whom else it serves.
    private static final Set<String> FOR_OPERATORS =
            Set.of(
                    "hostname",
                    "ip_address",
                    "instance",
                    "lease_ms",
                    "capabilities",
                    "multi_orchestrator_info");

    WorkerState state() {
        if (workerSnapshot == null) {
            return WorkerState.OFFLINE;
        }
        if (workerSnapshot.overdue()) {
            return WorkerState.UNHEALTHY;
        }
        if (isSuspended()) {
            return WorkerState.SUSPENDED;
        }
        if (workerSnapshot.profile().draining() || drain().isPresent()) {
            return WorkerState.DRAINING;
        }
        if (slots.size() >= workerSnapshot.profile().capacity()
                || workerSnapshot.profile().tasks().isEmpty()) {
            return WorkerState.FULL;
        }
        return slots.isEmpty() ? WorkerState.IDLE : WorkerState.BUSY;
    }

    static JsonNumber rounded(double score) {
        return JsonNumber.of(Math.round(score * 1e4) / 1e4);
    }

    private boolean isSuspended() {
        return guard != null && guard.state() == CircuitBreaker.State.OPEN;
    }

    private JsonValue breaker() {
        if (guard == null) {
            return JsonNull.NULL;
        }
        var json =
                JsonObject.builder()
                        .put("state", guard.state().word())
                        .put("failures", guard.failures());
        if (isSuspended()) {
            json.put("until", ApiJson.of(guard.until()));
        }
        return json.build();
    }

    private Optional<Drain> drain() {
        return record == null ? Optional.empty() : record.drain();
    }

    /// The worker for `caller`, who hears of jobs that are not its own only if it may see all.
    JsonObject json(Caller caller) {
        var json =
                JsonObject.builder()
                        .put("worker_id", worker.value())
                        .put("state", state().word())
                        .put(
                                "drain",
                                drain().<JsonValue>map(drain -> json(drain, caller))
                                        .orElse(JsonNull.NULL))
                        .put("breaker", breaker());
        if (record != null) {
            json.put("first_seen", ApiJson.of(record.firstSeen()));
            json.put("last_seen", ApiJson.of(record.lastSeen()));
            var reputation = record.reputation();
            json.put("reputation", rounded(reputation.score()))
                    .put(
                            "attempts",
                            JsonObject.builder()
                                    .put("succeeded", reputation.succeeded())
                                    .put("failed", reputation.failed())
                                    .put("lost", reputation.lost())
                                    .build());
        } else {
            json.put("reputation", JsonNumber.of(1));
        }
        if (caller.onlyClient().isEmpty()) {
            json.put("leases", leases());
        }
        if (workerSnapshot == null) {
            return json.build();
        }
        json.put("last_seen", ApiJson.of(workerSnapshot.lastSeen()))
                .put("available_tasks", ApiJson.texts(workerSnapshot.profile().tasks()))
                .put("wire", workerSnapshot.wire())
                .put("waiting_polls", workerSnapshot.polls())
                .put("slots", slots(workerSnapshot.profile()));
        if (workerSnapshot.other().isPresent()) {
            json.put("warning", SessionOutput.NameShared.WARNING);
        }
        return declared(workerSnapshot.record(), caller).merge(json.build());
    }

    /// What the worker declares about itself, by lists of names: no other member that a worker sends gets here.
    private static JsonObject declared(JsonObject record, Caller caller) {
        var shown = JsonObject.builder();
        record.members()
                .forEach((name, value) -> {
                    if (FOR_ALL.contains(name)
                            || (caller.onlyClient().isEmpty() && FOR_OPERATORS.contains(name))) {
                        shown.put(name, value);
                    }
                });
        return shown.build();
    }

    private JsonObject slots(WorkerProfile profile) {
        var all = slots(profile.capacity(), slots.size());
        var limits = profile.slots().limits();
        if (limits.isEmpty()) {
            return all.build();
        }
        var categories = JsonObject.builder();
        limits.forEach((category, most) ->
                categories.put(category, slots(most, crowds.getOrDefault(category, 0)).build()));
        return all.put("categories", categories.build()).build();
    }

    private static JsonObject.Builder slots(int capacity, int used) {
        return JsonObject.builder()
                .put("capacity", capacity)
                .put("used", used)
                .put("free", Math.max(0, capacity - used));
    }

    /// Who drained a worker is the business of those who operate it.
    private static JsonObject json(Drain drain, Caller caller) {
        var json = JsonObject.builder();
        if (caller.role() != Role.CLIENT) {
            json.put("by", drain.by());
        }
        return json.put(
                        "reason",
                        drain.reason().<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL))
                .put("at", ApiJson.of(drain.at()))
                .build();
    }

    /// Not the tokens: a holder of one can report.
    private JsonArray leases() {
        var leases = new ArrayList<JsonValue>();
        for (var token : List.copyOf(slots)) {
            token.address()
                    .ifPresent(address ->
                            leases.add(
                                    JsonObject.builder()
                                            .put("job_id", address.job().value())
                                            .put("task", address.task())
                                            .build()));
        }
        return new JsonArray(leases);
    }
}
