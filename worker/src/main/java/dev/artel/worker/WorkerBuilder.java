package dev.artel.worker;

import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.TaskType;
import dev.artel.protocol.Costs;
import dev.artel.protocol.InstalledModel;
import dev.artel.protocol.Limits;
import dev.artel.protocol.Profile;
import dev.artel.protocol.Register;
import dev.artel.protocol.Resources;
import dev.artel.worker.link.LinkSettings;
import dev.artel.worker.link.Orchestrator;
import dev.artel.worker.link.OrchestratorConnection;
import dev.artel.worker.wire.WireProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Describes a worker. Not safe for use by many threads.
public final class WorkerBuilder {
    private static final Duration DRAIN = Duration.ofSeconds(25);
    private static final Duration DELIVERY = Duration.ofSeconds(5);
    private static final int UNCONFIRMED = 10_000;

    private final String id;
    private final List<List<Orchestrator>> orchestrators = new ArrayList<>();
    private final SequencedMap<String, HandledType> types = new LinkedHashMap<>();
    private final SequencedMap<String, Integer> categoryLimits = new LinkedHashMap<>();
    private final List<InstalledModel> models = new ArrayList<>();
    private final SequencedMap<String, List<String>> skillDependencies = new LinkedHashMap<>();
    private final List<String> hot = new ArrayList<>();
    private final List<ProcessPool> pools = new ArrayList<>();
    private String workerType = "generic-worker";
    private int maxConcurrentTasks = Limits.DEFAULT_CONCURRENT_TASKS;
    private Resources resources = Resources.UNKNOWN;
    private Costs costs = Costs.UNKNOWN;
    private LinkSettings settings = LinkSettings.DEFAULTS;
    private int unconfirmed = UNCONFIRMED;
    private @Nullable Path directory;
    private @Nullable Path files;
    private @Nullable InetSocketAddress health;
    private TaskTracer tracer = TaskTracer.NONE;
    private Worker.ShutdownPolicy shutdownPolicy = new Worker.ShutdownPolicy(DRAIN, DELIVERY, true);

    WorkerBuilder(String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a worker's id must not be blank");
        }
        this.id = id;
    }

    static WorkerBuilder fromEnvironment(Map<String, String> environment) {
        var named = environment.get("WORKER_ID");
        var builder = new WorkerBuilder(named == null ? "worker-" + UUID.randomUUID() : named);
        var token =
                environment.getOrDefault(
                        "WORKER_INDIVIDUAL_TOKEN", environment.getOrDefault("WORKER_TOKEN", ""));
        var url = environment.get("ORCHESTRATOR_URL");
        if (url != null) {
            try {
                builder.orchestrator(addresses(url), token);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "ORCHESTRATOR_URL: " + wrong.getMessage(), wrong);
            }
        }
        var type = environment.get("WORKER_TYPE");
        if (type != null) {
            builder.type(type);
        }
        var max = environment.get("MAX_CONCURRENT_TASKS");
        if (max != null) {
            builder.maxConcurrentTasks(wholeNumber("MAX_CONCURRENT_TASKS", max));
        }
        var port = environment.get("WORKER_PORT");
        if (port != null) {
            builder.health(new InetSocketAddress(wholeNumber("WORKER_PORT", port)));
        }
        return builder;
    }

    private static List<URI> addresses(String list) {
        return Stream.of(list.split(","))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .map(URI::create)
                .toList();
    }

    private static int wholeNumber(String key, String value) {
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is a whole number, was " + value, e);
        }
    }

    /// Serves this orchestrator; may be called several times.
    ///
    /// @param uri where its worker routes begin, without `/_worker`. The scheme selects the wire: `http` and `https` poll, over
    ///     `ws` and `wss` (a WebSocket) and `zmq` (ZeroMQ) the orchestrator pushes tasks
    /// @param token what it knows the worker by
    /// @throws IllegalArgumentException if it is no such address, or the artifact of its wire is missing
    public WorkerBuilder orchestrator(URI uri, String token) {
        return orchestrator(List.of(uri), token);
    }

    /// Serves one orchestrator over the first of several wires that works: it goes to the next when it cannot connect or register,
    /// and comes back to an earlier one when that works again. Its tasks go along.
    ///
    /// @param uris addresses of the same orchestrator, each as in [#orchestrator(URI, String)], the preferred one first
    /// @param token what it knows the worker by
    /// @throws IllegalArgumentException if there is none, one is no such address, or the artifact of its wire is missing
    public WorkerBuilder orchestrator(List<URI> uris, String token) {
        if (uris.isEmpty()) {
            throw new IllegalArgumentException(
                    "an orchestrator has at least one address, such as http://127.0.0.1:8080");
        }
        orchestrators.add(uris.stream().map(uri -> new Orchestrator(uri, token)).toList());
        return this;
    }

    /// Serves an orchestrator over a wire that the program brings along, such as one in the same process.
    ///
    /// @param uri in the form that `wire` wants
    /// @throws IllegalArgumentException if `wire` cannot use it
    public WorkerBuilder orchestrator(WireProvider wire, URI uri) {
        orchestrators.add(List.of(new Orchestrator(uri, "", wire)));
        return this;
    }

    /// A word for people; `generic-worker` by default.
    public WorkerBuilder type(String word) {
        workerType = word;
        return this;
    }

    /// The most tasks at a time; 10 by default.
    public WorkerBuilder maxConcurrentTasks(int max) {
        maxConcurrentTasks = positive(max, "the number of concurrent tasks");
        return this;
    }

    /// The most tasks at a time in a category.
    public WorkerBuilder limit(String category, int max) {
        categoryLimits.put(category, positive(max, "the limit of category " + category));
        return this;
    }

    private static int positive(int value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " is at least 1, was " + value);
        }
        return value;
    }

    /// Does tasks of `type` with `handler`: `handle(BOOK_FLIGHT, trip -> airline.book(trip))`.
    public <P, R> WorkerBuilder handle(TaskType<P, R> type, TypedHandler<P, R> handler) {
        return handle(
                type, (params, _) -> Result.success(type.result().write(handler.handle(params))));
    }

    /// Does tasks of `type`, which give nothing back, with `handler`.
    public <P> WorkerBuilder handleVoid(TaskType<P, Nothing> type, VoidHandler<P> handler) {
        return handle(
                type,
                (params, _) -> {
                    handler.handle(params);
                    return Result.success();
                });
    }

    /// Does tasks of `type` with `handler`, which sees the context of the task and may end it under a word of the blueprint:
    /// `handle(CHARGE, (card, task) -> Result.of("declined", JsonObject.EMPTY))`.
    public <P> WorkerBuilder handle(TaskType<P, ?> type, Handler<P> handler) {
        return handle(type.name(), type.params().type(), handler);
    }

    /// Does tasks of `type` with `handler`.
    ///
    /// @param params what the parameters are bound to
    public <P> WorkerBuilder handle(String type, Class<P> params, Handler<P> handler) {
        return add(HandledType.of(type, null, params, handler));
    }

    /// Does tasks of `type` with `handler`, counted against the limit of `category`.
    ///
    /// @param params what the parameters are bound to
    public <P> WorkerBuilder handle(
            String type, String category, Class<P> params, Handler<P> handler) {
        return add(HandledType.of(type, category, params, handler));
    }

    /// Does tasks with the methods of `handlers` that are marked with [Handles].
    public WorkerBuilder handlers(Object handlers) {
        return handlers(handlers, handlers.getClass());
    }

    /// Does tasks with the methods of `handlers` that `type` marks with [Handles], for objects whose own class is made
    /// at run time.
    ///
    /// @param type a class or interface that `handlers` has
    public WorkerBuilder handlers(Object handlers, Class<?> type) {
        AnnotatedHandlers.of(handlers, type).forEach(this::add);
        return this;
    }

    /// Does tasks with the handlers of `pool`, in processes of their own, which start and end with the worker.
    public WorkerBuilder handlersIn(ProcessPool pool) {
        pool.types().forEach(this::add);
        pools.add(pool);
        return this;
    }

    /// Does tasks of `type` with `handler`, which gets the parameters as a file. See [#largeValues].
    public WorkerBuilder handleFile(String type, FileHandler handler) {
        return add(HandledType.ofFile(type, handler));
    }

    private WorkerBuilder add(HandledType type) {
        if (types.putIfAbsent(type.name(), type) != null) {
            throw new IllegalArgumentException(
                    "worker " + id + " has two handlers for task type " + type.name());
        }
        return this;
    }

    /// Adds a model that is on the disk.
    public WorkerBuilder model(String name, String version) {
        models.add(new InstalledModel(name, version));
        return this;
    }

    /// Sets what the machine offers.
    public WorkerBuilder resources(Resources offered) {
        resources = offered;
        return this;
    }

    /// Sets what the worker costs.
    public WorkerBuilder costs(Costs asked) {
        costs = asked;
        return this;
    }

    /// Declares that tasks of `type` begin at once when `needed` are in the hot cache.
    public WorkerBuilder skillDependency(String type, String... needed) {
        skillDependencies.put(type, List.of(needed));
        return this;
    }

    /// Sets what is loaded from the beginning.
    public WorkerBuilder hot(String... names) {
        hot.addAll(List.of(names));
        return this;
    }

    /// The longest silence between heartbeats; 15 s by default.
    public WorkerBuilder heartbeat(Duration interval) {
        return with(link -> link.withHeartbeat(interval));
    }

    /// How long to hold a task without a renewal, from 1 s to 10 min; 30 s by default. Short finds a dead worker
    /// soon, long survives a long pause.
    public WorkerBuilder lease(Duration wanted) {
        if (wanted.compareTo(Register.SHORTEST_LEASE) < 0
                || wanted.compareTo(Register.LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("a lease lasts from 1 s to 10 min, was " + wanted);
        }
        return with(link -> link.withLease(wanted));
    }

    /// How long an idle poll may take; 35 s by default, which is above the 30 s for which orchestrators hold it.
    public WorkerBuilder poll(Duration longest) {
        return with(link -> link.withPoll(longest));
    }

    /// The longest wait after failures; 10 s, and 60 s for registrations, by default.
    public WorkerBuilder longestBackoff(Duration longest) {
        return with(link -> link.withLongestBackoff(longest));
    }

    /// Shows a certificate of its own to orchestrators over `https` and `wss`, or trusts others than the Java runtime does. A worker whose
    /// certificate names it needs no token over `https`; over `wss` it needs one.
    public WorkerBuilder tls(SSLContext context) {
        return with(link -> link.withTls(context));
    }

    /// Keeps a socket to each orchestrator for cancels and progress, which else travel with the renewals.
    public WorkerBuilder websocket() {
        return with(LinkSettings::withWebsocket);
    }

    /// Fetches parameters with more than `inline` bytes as files in `folder`, and puts large results, so that they need not
    /// travel in messages. Handlers get the same parameters as otherwise; [#handleFile] gets them as a file.
    ///
    /// @param folder where files of tasks are while they run; made if it is missing
    public WorkerBuilder largeValues(Path folder, int inline) {
        if (inline < 0) {
            throw new IllegalArgumentException(
                    "the bytes of parameters in messages are at least 0, were " + inline);
        }
        files = folder;
        return with(link -> link.withInline(inline));
    }

    private WorkerBuilder with(UnaryOperator<LinkSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    /// Keeps unconfirmed results in `place`, so that they survive this process. Not to be shared by two workers.
    public WorkerBuilder keepResultsIn(Path place) {
        directory = place;
        return this;
    }

    /// The most unconfirmed results per orchestrator; 10,000 by default. With so many the worker takes no more
    /// tasks.
    public WorkerBuilder unconfirmedResults(int max) {
        unconfirmed = positive(max, "the number of unconfirmed results");
        return this;
    }

    /// How long running tasks may take to end when the worker is closed; 25 s by default.
    public WorkerBuilder drainTimeout(Duration longest) {
        shutdownPolicy =
                new Worker.ShutdownPolicy(
                        longest, shutdownPolicy.delivery(), shutdownPolicy.onShutdown());
        return this;
    }

    /// How long outcomes may take to be confirmed after that; 5 s by default.
    public WorkerBuilder delivery(Duration longest) {
        shutdownPolicy =
                new Worker.ShutdownPolicy(
                        shutdownPolicy.drain(), longest, shutdownPolicy.onShutdown());
        return this;
    }

    /// Answers `GET /health` at `address`: 200 `OK`, and 503 once it drains.
    public WorkerBuilder health(InetSocketAddress address) {
        health = address;
        return this;
    }

    /// Surrounds each run of a handler with `tracer`, as with a span; none unless set.
    public WorkerBuilder tracer(TaskTracer around) {
        tracer = around;
        return this;
    }

    /// Does not drain the worker at the end of the process; the program calls [Worker#close] itself.
    public WorkerBuilder withoutShutdownHook() {
        shutdownPolicy =
                new Worker.ShutdownPolicy(shutdownPolicy.drain(), shutdownPolicy.delivery(), false);
        return this;
    }

    /// Builds the worker, starts it and waits until it has been closed, by SIGTERM for instance.
    ///
    /// @throws IllegalArgumentException if something is missing or contradicts itself; names all of it
    /// @throws InterruptedException if the waiting thread is interrupted; the worker is closed then
    public void run() throws InterruptedException {
        try (var worker = build()) {
            worker.start();
            worker.awaitStopped();
        }
    }

    /// The worker, not yet started.
    ///
    /// @throws IllegalArgumentException if something is missing or contradicts itself; names all of it
    public Worker build() {
        var problems = problems();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "worker " + id + " cannot be built: " + String.join("; ", problems));
        }
        var orchestratorConnections = new ArrayList<OrchestratorConnection>();
        Runnable changed =
                () -> orchestratorConnections.forEach(OrchestratorConnection::availabilityChanged);
        var hotCache = new HotCache(changed);
        hot.forEach(hotCache::add);
        var taskTypes = new TaskTypes(types.values());
        var profile =
                new Profile(
                        taskTypes.skills(),
                        new Limits(maxConcurrentTasks, categoryLimits),
                        resources,
                        models,
                        costs,
                        skillDependencies);
        var identity = new TaskExecutor.Identity(id, workerType, origin(), files);
        var taskExecutor =
                new TaskExecutor(identity, profile, taskTypes, hotCache, changed, tracer);
        for (var addresses : orchestrators) {
            orchestratorConnections.add(
                    new OrchestratorConnection(
                            addresses,
                            id,
                            settings,
                            taskExecutor,
                            unconfirmed,
                            pendingResultFiles(addresses)));
        }
        return new Worker(
                id,
                taskExecutor,
                orchestratorConnections,
                List.copyOf(pools),
                shutdownPolicy,
                health);
    }

    private List<String> problems() {
        var problems = new ArrayList<String>();
        if (orchestrators.isEmpty()) {
            problems.add("no orchestrator; call .orchestrator(uri, token) or set ORCHESTRATOR_URL");
        }
        if (types.isEmpty()) {
            problems.add("no handler; add one by .handle(TYPE, handler)");
        }
        for (var type : skillDependencies.keySet()) {
            if (!types.containsKey(type)) {
                problems.add("skill dependency of " + type + ", which has no handler");
            }
        }
        for (var category : categoryLimits.keySet()) {
            if (types.values().stream().noneMatch(type -> category.equals(type.category()))) {
                problems.add("limit of category " + category + ", which no handler is in");
            }
        }
        return problems;
    }

    /// Named after the address over HTTP, if there is one: it was there before the others.
    private @Nullable Path pendingResultFiles(List<Orchestrator> addresses) {
        var named =
                addresses.stream()
                        .filter(Orchestrator::isHttp)
                        .findFirst()
                        .orElseGet(addresses::getFirst);
        var name = named.toString().replaceAll("[^A-Za-z0-9.]+", "-");
        return directory == null ? null : directory.resolve(name);
    }

    private static Register.Origin origin() {
        var instance = UUID.randomUUID().toString();
        try {
            var host = InetAddress.getLocalHost();
            return new Register.Origin(instance, host.getHostName(), host.getHostAddress());
        } catch (UnknownHostException nameless) {
            return new Register.Origin(instance, null, null);
        }
    }
}
