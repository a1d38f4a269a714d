package dev.artel.server.api.workers;

import dev.artel.access.Caller;
import dev.artel.engine.core.CoordinatorView;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Drain;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.kernel.fleet.WorkerState;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Flags;
import dev.artel.server.api.http.Page;
import dev.artel.server.feed.FleetEvents;
import dev.artel.session.WorkerSnapshot;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Who works, how they stand, and the operator's word on who gets no more tasks.
public final class WorkersApi {
    private static final int MOST_AS_OF_OLD = 10_000;

    private final Lifecycle lifecycle;
    private final SessionShell session;
    private final ApiAuthenticator apiAuthenticator;
    private final HeavyRequests heavy;
    private final Bodies bodies;
    private final FleetEvents fleetEvents;
    private final BiConsumer<WorkerId, String> drained;
    private final Stop stop;

    /// Who hears that an operator drains a worker.
    ///
    /// @param events the readers of the fleet's events
    /// @param worker the worker itself, with the reason, if it is connected
    /// @param stop takes back what it has in work
    public record Drains(FleetEvents events, BiConsumer<WorkerId, String> worker, Stop stop) {}

    /// Takes back what a worker has in work; must not wait long.
    @FunctionalInterface
    public interface Stop {
        /// The tasks of `worker` are queued again, as if it were gone.
        ///
        /// @param shutsDown whether it is asked to end its process, where its wire can
        void stop(WorkerId worker, String reason, boolean shutsDown);
    }

    /// An API to the workers of `session`.
    ///
    /// @param drains receives drains
    /// @param heavy whose turns are those of all routes
    /// @param maxBodyBytes larger bodies are refused
    public WorkersApi(
            Lifecycle lifecycle,
            SessionShell session,
            ApiAuthenticator apiAuthenticator,
            Drains drains,
            HeavyRequests heavy,
            int maxBodyBytes) {
        this.fleetEvents = drains.events();
        this.drained = drains.worker();
        this.stop = drains.stop();
        this.heavy = heavy;
        this.lifecycle = lifecycle;
        this.session = session;
        this.apiAuthenticator = apiAuthenticator;
        this.bodies = new Bodies(maxBodyBytes);
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        routes.get("/api/v1/workers", search(this::list));
        routes.get("/api/v1/workers/{id}", this::find);
        routes.post("/api/v1/workers/{id}/drain", this::drain);
        routes.post("/api/v1/workers/{id}/undrain", this::undrain);
        routes.post("/api/v1/bulk/workers/drain", this::drainMany);
        routes.post("/api/v1/bulk/workers/undrain", this::undrainMany);
        routes.get("/api/workers", search(this::listAsOfOld));
    }

    private Handler search(ApiAuthenticator.Known handler) {
        return apiAuthenticator.known(heavy.byTurns(HeavyRequests.Kind.SEARCH, handler));
    }

    private void list(Context request, Caller caller) throws InterruptedException {
        var wanted = state(request);
        var isAll = wanted == WorkerState.OFFLINE || "true".equals(request.queryParam("all"));
        var workerSnapshot = present();
        var names = new TreeSet<>(workerSnapshot.keySet());
        if (isAll) {
            lifecycle.fleet().list().forEach(record -> names.add(record.id()));
        }
        var slots = look();
        Page.ofAll(
                request,
                "workers",
                names.stream()
                        .map(name -> document(name, workerSnapshot.get(name), slots))
                        .filter(document -> wanted == null || document.state() == wanted),
                document -> document.worker().value(),
                document -> document.json(caller));
    }

    /// Those that are there, for clients of the first generation: an array.
    private void listAsOfOld(Context request, Caller caller) throws InterruptedException {
        var slots = look();
        Answers.json(
                request,
                200,
                new JsonArray(
                        new TreeMap<>(present())
                                .entrySet().stream()
                                        .limit(MOST_AS_OF_OLD)
                                        .map(each ->
                                                document(each.getKey(), each.getValue(), slots))
                                        .map(document -> (JsonValue) document.json(caller))
                                        .toList()));
    }

    private void find(Context request) throws InterruptedException {
        answer(request, apiAuthenticator.admit(request), worker(request));
    }

    private void answer(Context request, Caller caller, WorkerId worker)
            throws InterruptedException {
        var document = document(worker, present().get(worker), look());
        if (document.record() == null && document.workerSnapshot() == null) {
            throw notFound();
        }
        Answers.json(
                request, 200, document.json(caller).with("reputation_history", history(worker)));
    }

    private JsonArray history(WorkerId worker) {
        return new JsonArray(
                lifecycle.fleet().reputationHistory(worker).stream()
                        .<JsonValue>map(point ->
                                JsonObject.builder()
                                        .put("at", ApiJson.of(point.at()))
                                        .put("reputation", WorkerDocument.rounded(point.score()))
                                        .build())
                        .toList());
    }

    private void drain(Context request) throws InterruptedException {
        var operator = apiAuthenticator.admitOperator(request);
        var worker = worker(request);
        var order = order(request);
        var record = lifecycle.fleet().drain(worker, operator.name(), order.reason());
        if (record.isEmpty()) {
            throw notFound();
        }
        var reason = order.reason().orElse("an operator drains this worker");
        fleetEvents.drains(worker, true, "client " + operator.name());
        drained.accept(worker, reason);
        var drain = record.get().drain();
        order.takesBack()
                .ifPresent(grace -> takeBack(worker, reason, drain, grace, order.shutsDown()));
        answer(request, operator, worker);
    }

    private void drainMany(Context request) throws InterruptedException {
        var operator = apiAuthenticator.admitOperator(request);
        var order = order(request);
        var chosen = chosen(request);
        var isDry = Flags.of(request, "dry_run");
        if (!isDry) {
            var reason = order.reason().orElse("an operator drains this worker");
            for (var record : lifecycle.fleet().drainAll(chosen, operator.name(), order.reason())) {
                fleetEvents.drains(record.id(), true, "client " + operator.name());
                drained.accept(record.id(), reason);
                order.takesBack()
                        .ifPresent(grace ->
                                takeBack(
                                        record.id(),
                                        reason,
                                        record.drain(),
                                        grace,
                                        order.shutsDown()));
            }
        }
        answerMany(request, chosen.size(), isDry);
    }

    private void undrainMany(Context request) throws InterruptedException {
        var operator = apiAuthenticator.admitOperator(request);
        var chosen = chosen(request);
        var isDry = Flags.of(request, "dry_run");
        if (!isDry) {
            for (var record : lifecycle.fleet().undrainAll(chosen)) {
                fleetEvents.drains(record.id(), false, "client " + operator.name());
            }
        }
        answerMany(request, chosen.size(), isDry);
    }

    private static void answerMany(Context request, int matched, boolean isDry) {
        var answer =
                JsonObject.builder()
                        .put("matched", matched)
                        .put("done", isDry ? 0 : matched)
                        .put("dry_run", isDry)
                        .build();
        request.attribute(ApiAuthenticator.DETAIL, answer.toString());
        if (isDry || matched == 0) {
            ApiAuthenticator.changesNothing(request);
        }
        Answers.json(request, 200, answer);
    }

    /// The workers that are connected, on the wire and of the task type that the request names.
    private Set<WorkerId> chosen(Context request) throws InterruptedException {
        var wire = request.queryParam("wire");
        var type = request.queryParam("task_type");
        if (wire == null && type == null && !Flags.of(request, "all")) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "No filter",
                    "which workers are meant: name a wire, a task_type or both, or all=true");
        }
        return present().values().stream()
                .filter(each -> wire == null || each.wire().equals(wire))
                .filter(each ->
                        type == null || each.profile().capabilities().known().contains(type))
                .map(WorkerSnapshot::worker)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void takeBack(
            WorkerId worker,
            String reason,
            Optional<Drain> drain,
            Duration grace,
            boolean shutsDown) {
        if (grace.isZero()) {
            stop.stop(worker, reason, shutsDown);
            return;
        }
        CompletableFuture.delayedExecutor(
                        grace.toMillis(),
                        TimeUnit.MILLISECONDS,
                        task -> Thread.ofVirtual().name("artel-drain-over").start(task))
                .execute(() -> {
                    // Another drain has its own time.
                    if (lifecycle
                            .fleet()
                            .find(worker)
                            .map(WorkerRecord::drain)
                            .equals(Optional.of(drain))) {
                        stop.stop(worker, reason, shutsDown);
                    }
                });
    }

    private void undrain(Context request) throws InterruptedException {
        var operator = apiAuthenticator.admitOperator(request);
        var worker = worker(request);
        var before = lifecycle.fleet().find(worker);
        var after = lifecycle.fleet().undrain(worker);
        if (after.isEmpty()) {
            throw notFound();
        }
        if (after.equals(before)) {
            ApiAuthenticator.changesNothing(request);
        }
        fleetEvents.drains(worker, false, "client " + operator.name());
        answer(request, operator, worker);
    }

    private DrainOrder order(Context request) {
        var isChunked = request.header("Transfer-Encoding") != null;
        return !isChunked && request.req().getContentLengthLong() <= 0
                ? DrainOrder.PLAIN
                : DrainOrder.read(bodies.json(request));
    }

    private WorkerDocument document(
            WorkerId worker, @Nullable WorkerSnapshot workerSnapshot, CoordinatorView coordinator) {
        return new WorkerDocument(
                worker,
                lifecycle.fleet().find(worker).orElse(null),
                workerSnapshot,
                coordinator.slots().getOrDefault(worker, Collections.emptySortedSet()),
                coordinator.crowds().getOrDefault(worker, new LinkedHashMap<>()),
                lifecycle.fleet().breaker(worker).orElse(null));
    }

    private Map<WorkerId, WorkerSnapshot> present() throws InterruptedException {
        var workers = session.workers().orElseThrow(WorkersApi::busy);
        return workers.stream().collect(Collectors.toMap(WorkerSnapshot::worker, each -> each));
    }

    private CoordinatorView look() {
        return lifecycle.engine().look().orElseThrow(WorkersApi::busy);
    }

    private static HttpRefusal busy() {
        return HttpRefusal.later(Duration.ofSeconds(1), "The orchestrator is too busy to answer");
    }

    private static @Nullable WorkerState state(Context request) {
        var text = request.queryParam("state");
        if (text == null) {
            return null;
        }
        for (var state : WorkerState.values()) {
            if (state.word().equals(text)) {
                return state;
            }
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER,
                "Invalid state parameter",
                "state is one of idle, busy, full, draining, suspended, unhealthy, offline");
    }

    private static WorkerId worker(Context request) {
        try {
            return new WorkerId(request.pathParam("id"));
        } catch (IllegalArgumentException noName) {
            throw notFound();
        }
    }

    private static HttpRefusal notFound() {
        return new HttpRefusal(ErrorCode.WORKER_NOT_FOUND, "Worker not found");
    }
}
