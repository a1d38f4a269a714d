package dev.artel.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.access.AccessControl;
import dev.artel.access.Caller;
import dev.artel.access.LimitsFile;
import dev.artel.access.OrchestratorTokens;
import dev.artel.access.OwnClient;
import dev.artel.access.PricesFile;
import dev.artel.access.SecretsFile;
import dev.artel.actions.BuiltInActions;
import dev.artel.approval.ApprovalLinks;
import dev.artel.backup.BackupPlace;
import dev.artel.backup.ContinuousBackup;
import dev.artel.config.AccessSettings;
import dev.artel.config.ActionSettings;
import dev.artel.config.NamedSecret;
import dev.artel.config.OperationsSettings;
import dev.artel.config.RedisSettings;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.dashboard.DashboardFiles;
import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.FleetRegistry;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.Schedule;
import dev.artel.engine.shell.SigningKeys;
import dev.artel.engine.shell.Supervision;
import dev.artel.engine.shell.Vitals;
import dev.artel.files.Instance;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.http.FastPath;
import dev.artel.gateway.http.HttpWorkerGateway;
import dev.artel.gateway.http.UnreadBody;
import dev.artel.gateway.http.WorkerValues;
import dev.artel.gateway.mindbus.AgentFleet;
import dev.artel.gateway.mindbus.AgentNames;
import dev.artel.gateway.mindbus.MindBusGateway;
import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.gateway.websocket.SocketGatewayConfig;
import dev.artel.gateway.websocket.WebSocketWorkerGateway;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.gateway.zeromq.ZeroMqWorkerGateway;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.protocol.WorkerMessage;
import dev.artel.schedule.Scheduler;
import dev.artel.server.api.AdminApi;
import dev.artel.server.api.ClientApi;
import dev.artel.server.api.PublicApi;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.DashboardSessions;
import dev.artel.server.api.access.DefinitionsInUse;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.NewJobs;
import dev.artel.server.api.access.OpenJobLimit;
import dev.artel.server.api.dashboard.OpenNeeds;
import dev.artel.server.api.dashboard.Overview;
import dev.artel.server.api.dashboard.SessionRoutes;
import dev.artel.server.api.figures.Metrics;
import dev.artel.server.api.figures.Sampling;
import dev.artel.server.api.figures.StateFigures;
import dev.artel.server.api.figures.TaskTimes;
import dev.artel.server.api.figures.Throughput;
import dev.artel.server.api.history.StreamRoutes;
import dev.artel.server.api.http.JsonErrors;
import dev.artel.server.api.jobs.GuardWarnings;
import dev.artel.server.api.jobs.JobCounts;
import dev.artel.server.api.pages.DashboardRoutes;
import dev.artel.server.api.submit.SubmissionGate;
import dev.artel.server.api.tasks.ProgressBoard;
import dev.artel.server.api.workers.WorkersApi;
import dev.artel.server.cards.CardLibrary;
import dev.artel.server.cards.CardUpdates;
import dev.artel.server.cards.PlannedCards;
import dev.artel.server.embedded.EmbeddedWorker;
import dev.artel.server.feed.Broadcast;
import dev.artel.server.feed.EventWaiters;
import dev.artel.server.feed.Feeds;
import dev.artel.server.feed.FleetEvents;
import dev.artel.server.feed.OpenStreams;
import dev.artel.server.jars.UploadedJars;
import dev.artel.server.logs.LoggedTraces;
import dev.artel.server.reload.ReloadReport;
import dev.artel.server.reload.SettingsInForce;
import dev.artel.server.schedules.ScheduleCode;
import dev.artel.server.schedules.ScheduleFile;
import dev.artel.server.schedules.ScheduleSubmissions;
import dev.artel.server.supervision.Launch;
import dev.artel.server.values.PayloadCollector;
import dev.artel.session.SessionSettings;
import dev.artel.telemetry.JobTracing;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenRegister;
import dev.artel.webhook.Webhooks;
import io.javalin.config.RoutesConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts of one orchestrator, put together by hand.
///
/// [#close] takes no new work, answers waiting polls, lets running steps end, and closes the stores last.
public final class Wiring implements AutoCloseable {
    /// Which part of the heap what workers declare may take: one divided by it.
    private static final int DECLARED_PART = 8;

    private static final int MOST_VALUES_PUT = 100_000;
    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
    private static final Duration LONGEST_WAIT_FOR_BROKER = Duration.ofSeconds(3);

    /// For so long schedules wait after a start in a crash loop.
    private static final Duration HOLD_OF_CRASH_LOOP = Duration.ofMinutes(5);

    private final InstantSource clock = InstantSource.system();
    private final Lifecycle lifecycle;
    private final ProgressBoard progress = new ProgressBoard(clock);

    private final EventWaiters eventWaiters = new EventWaiters();
    private final Throughput throughput = new Throughput(clock.instant());
    private final TaskTimes taskTimes = new TaskTimes(clock);
    private final StateFigures stateFigures = new StateFigures(clock);
    private final FleetEvents fleetEvents =
            new FleetEvents(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
    private final OpenStreams streams;
    private final JobCounts jobCounts;
    private final OpenNeeds openNeeds;
    private final Broadcast broadcast;
    private final Overview overview;

    /// What has to be closed, last opened first.
    private final Deque<Closing> opened = new ArrayDeque<>();

    private final Instance instance = Instance.begun();
    private final Tokens tokens;

    /// Of the client of the tasks in Redis.
    private final Secret redisToken = TokenFile.fresh();

    private final @Nullable Tls tls;
    private final AccessControl accessControl;
    private final DashboardSessions dashboardSessions;
    private final DispatchSettings dispatch;
    private final Optional<Path> folder;
    private volatile List<SharedLimit> limits = List.of();
    private volatile Map<String, Spending> prices = Map.of();

    /// As at the start.
    private final ServerConfig launched;

    private volatile SequencedMap<String, NamedSecret> secrets = new LinkedHashMap<>();
    private final ApprovalLinks approvalLinks;
    private final HttpRequestLog httpRequestLog;
    private final TaskParameters parameters;
    private final Storage storage;
    private final HttpListener http;
    private final Webhooks webhooks;
    private final LocalEngine engine;
    private final SettingsInForce settings;
    private final Optional<NewBlueprints> newBlueprints;
    private final CardLibrary cards;
    private final PlannedCards planned;
    private final ApiAuthenticator authenticator;
    private final SubmissionGate gate;
    private final NewJobs newJobs;
    private final Scheduler schedules;
    private final ScheduleFile scheduleFile;
    private final ScheduleCode scheduleCode;
    private final Optional<CardUpdates> cardUpdates;

    /// Empty until the blueprints have been checked.
    private volatile Optional<UploadedJars> uploadedJars = Optional.empty();

    private OptionalInt operationsPort = OptionalInt.empty();

    /// Null until the engine has started.
    private volatile @Nullable FleetRegistry fleet;

    /// Empty until the workers of the last start are known, and without `zeromq.enabled`.
    private volatile Optional<ZeroMqWorkerGateway> zeroMq = Optional.empty();

    /// Empty until the workers of the last start are known, and without `mindbus.uri`.
    private volatile Optional<MindBusGateway> mindBus = Optional.empty();

    private interface Closing {
        void close() throws Exception;
    }

    /// Starts an orchestrator on the stores of the data folder.
    ///
    /// @throws StartupException if a person has to change something first
    public static Wiring start(ServerConfig config, Blueprints blueprints, Launch launch) {
        return new Wiring(config, blueprints, launch, null);
    }

    /// Starts an orchestrator on `storage`, which stays the caller's to close.
    ///
    /// @throws StartupException if a person has to change something first
    public static Wiring start(ServerConfig config, Blueprints blueprints, Storage storage) {
        return new Wiring(config, blueprints, Launch.EMBEDDED, storage);
    }

    /// Reads what `config` names and starts nothing: tokens, clients, workers and the certificate.
    ///
    /// @throws StartupException if one of them is of no use
    public static void check(ServerConfig config) {
        var clock = InstantSource.system();
        config.ingress().tls().ifPresent(settings -> new Tls(settings, clock));
        WebhookWiring.check(config);
        if (config.tokens() instanceof TokenSettings.Kept
                && !Files.exists(config.data().resolve(TokenFile.NAME))) {
            return; // made at the first start
        }
        var tokens = tokens(config);
        var folder = Optional.of(config.data().toAbsolutePath()).filter(Files::exists);
        var _ = access(config, folder, tokens, TokenFile.fresh(), clock);
        var secrets = readSecrets(config, false);
        if (!secrets.problems().isEmpty()) {
            throw new StartupException(String.join("; ", secrets.problems()), null);
        }
    }

    private Wiring(
            ServerConfig config, Blueprints blueprints, Launch launch, @Nullable Storage given) {
        try {
            var loading = Thread.ofPlatform().daemon().name("artel-load").start(HttpListener::load);
            tls = config.ingress().tls().map(settings -> new Tls(settings, clock)).orElse(null);
            WebhookWiring.check(config);
            dispatch = config.engine().dispatch();
            settings = new SettingsInForce(config, launch.sources());
            dashboardSessions = new DashboardSessions(sessionLimits(settings.access()), clock);
            tokens = tokens(config);
            var folder =
                    given == null
                            ? Optional.of(DataFolder.at(config.data()).path())
                            : Optional.<Path>empty();
            var opening =
                    given == null
                            ? open(DataFolder.at(config.data()), config)
                            : CompletableFuture.completedFuture(given);
            accessControl = access(config, folder, tokens, redisToken, clock);
            opened.push(accessControl::close);
            this.folder = folder;
            var wrong = new ArrayList<>(readLimits());
            wrong.addAll(readPrices());
            launched = config;
            wrong.addAll(readSecrets());
            if (!wrong.isEmpty()) {
                throw new StartupException(String.join("; ", wrong), null);
            }
            httpRequestLog = HttpRequestLog.open(config.ingress().logs(), folder, clock);
            opened.push(httpRequestLog::close);
            approvalLinks = new ApprovalLinks(() -> address(config), this::groupsOf);
            var metrics = new Metrics();
            opened.push(metrics::close);
            metrics.watch(accessControl);
            var words = new TaskOutput(clock, progress, accessControl.workerLimits());
            var session =
                    new SessionShell(
                            withinMemory(config.session()),
                            accessControl::tokenOf,
                            new MonotonicTime(clock.instant()),
                            words);
            storage = opened(opening);
            storage.copied().ifPresent(copied -> copy(copied, config, metrics));
            if (given == null) {
                DataFolder.at(config.data()).belongsTo(instance);
            }
            var supervision = folder.map(launch.supervision()).orElse(Supervision.LOG_ONLY);
            var vitals = Vitals.watching(supervision);
            opened.push(vitals::close);
            lifecycle = new Lifecycle(vitals);
            jobCounts = new JobCounts(storage.events());
            openNeeds = new OpenNeeds(storage.events(), clock);
            overview =
                    new Overview(
                            lifecycle::engine, jobCounts, throughput, taskTimes, openNeeds, clock);
            broadcast = new Broadcast("overview", overview::text);
            words.keepIn(storage.events().logs());
            authenticator =
                    new ApiAuthenticator(
                            accessControl, dashboardSessions, config.ingress().proxy().publicUrl());
            newJobs =
                    new NewJobs(
                            authenticator,
                            new OpenJobLimit(accessControl, storage.events(), System::nanoTime));
            gate = new SubmissionGate(lifecycle, newJobs);
            metrics.watch(storage.events());
            streams =
                    new OpenStreams(OpenStreams.Limits.of(config.http().shared().streams()), clock);
            streams.endUnless(id -> dashboardSessions.use(id).isPresent());
            metrics.watch(streams);
            metrics.watchLogs(words::lines, words::dropped);
            var workerLimits =
                    new ReportingLimits(accessControl.workerLimits(), clock, this::refusedUntil);
            parameters = new TaskParameters(this::resolve, accessControl::tokenOf);
            var gateway =
                    new HttpWorkerGateway(
                            session,
                            accessControl.workers(),
                            workerLimits,
                            parameters,
                            storage.objects()
                                    .map(objects ->
                                            WorkerValues.of(
                                                    objects,
                                                    config.payloads().maxBytes(),
                                                    new PutValuesFile(
                                                            config.data()
                                                                    .resolve(PutValuesFile.NAME),
                                                            MOST_VALUES_PUT))),
                            this::exchangeKey,
                            config.gateway());
            var webSockets =
                    new WebSocketWorkerGateway(
                            session,
                            gateway.authentication(),
                            workerLimits,
                            parameters,
                            gateway.valueAddresses(),
                            SocketGatewayConfig.DEFAULTS
                                    .withMaxConnections(config.gateway().maxSockets())
                                    .withTaskSigner(config.gateway().taskSigner()));
            awaited(loading);
            http =
                    HttpListener.open(
                            config.http(),
                            new HttpListener.ListenerParts(
                                    tls,
                                    Optional.ofNullable(tls)
                                            .filter(Tls::asksCallers)
                                            .map(secured ->
                                                    new ClientCertificates(
                                                            accessControl,
                                                            gateway.authentication(),
                                                            config.ingress().proxy(),
                                                            secured::isGood)),
                                    config.ingress().proxy(),
                                    httpRequestLog,
                                    gateway.shortCut(
                                            new FastPath.FastPathConfig(
                                                    config.ingress().proxy().basePath(),
                                                    () -> !lifecycle.isStopping(),
                                                    tls == null
                                                            ? Optional.of(this::isQuiet)
                                                            : Optional.empty(),
                                                    metrics::answered)),
                                    factory -> {
                                        gateway.addTo(factory);
                                        webSockets.addTo(factory);
                                    },
                                    error -> vitals.fatal("artel-http", error, List.of())),
                            routes -> {
                                mount(routes, config, session, metrics, webSockets);
                                gateway.addTo(routes);
                                webSockets.addTo(routes);
                            });
            // Closed once more at its place below where all goes well: requests end before what
            // they work with.
            opened.push(http::close);
            // Open while open jobs are taken up, and until the stores are closed.
            config.ingress()
                    .operations()
                    .listen()
                    .ifPresent(at -> watch(at, publicApi(config, metrics)));
            var start = vitals.heart("artel-start");
            start.begin();
            cards = openCards(config, blueprints);
            planned = openPlannedCards(blueprints);
            checkGraphs(config, blueprints);
            cardUpdates = launch.sources().map(sources -> new CardUpdates(sources.cards(), cards));
            cardUpdates.ifPresent(CardUpdates::takeUp);
            newBlueprints =
                    launch.sources()
                            .map(sources ->
                                    new NewBlueprints(
                                            sources.blueprints(),
                                            blueprints,
                                            some -> checkGraphs(config, some)));
            uploadedJars =
                    launch.sources()
                            .map(sources ->
                                    new UploadedJars(
                                            sources.blueprints(),
                                            blueprints,
                                            some -> objection(config, some)));
            // Before the engine: it goes on with what it was about to do, and others want to know.
            start.begin();
            webhooks =
                    WebhookWiring.open(
                            config, storage, blueprints, this::resolve, approvalLinks, clock);
            opened.push(webhooks::close);
            start.rest(); // the engine itself reports at which of its jobs it is
            var traces = openTraces(config, metrics);
            engine = startEngine(config, blueprints, webhooks, vitals);
            start.begin();
            traces.ifPresent(engine::observedBy);
            traces.ifPresent(JobTracing::start);
            traces.ifPresent(this::nameTraces);
            approvalLinks.take(engine::approvalToken);
            storage.objects()
                    .ifPresent(objects -> sweep(objects, config.payloads().grace(), metrics));
            opened.push(webhooks::close);
            engine.configure(sharing());
            engine.price(prices);
            engine.keepDefinitions(planned);
            engine.watchStalls(config.engine().stalls());
            fleetEvents.addListener((type, what) -> WebhookWiring.send(webhooks, type, what));
            metrics.watch(webhooks);
            var workerPresence =
                    new WorkerPresence(
                            engine, accessControl, fleetEvents, ownTypes(config.actions()));
            engine.observedBy(eventWaiters);
            engine.observedBy(progress);
            engine.observedBy(throughput);
            engine.observedBy(taskTimes);
            engine.observeDispatch(taskTimes);
            metrics.watch(taskTimes);
            metrics.watch(openNeeds);
            Thread.ofVirtual().name("artel-needs").start(openNeeds::lookUpDates);
            var sampling = Sampling.start(throughput, taskTimes, clock);
            opened.push(sampling::close);
            // Not where figures are sampled: it waits for the dispatcher.
            var broadcasting = new Schedule("artel-broadcast");
            opened.push(broadcasting::close);
            broadcasting.repeat(Duration.ofSeconds(1), broadcast::tick);
            var warnings = new GuardWarnings(clock);
            engine.observedBy(warnings);
            metrics.watch(warnings);
            var book = FleetRegistry.open(storage.fleet(), workerPresence, engine, clock);
            fleet = book;
            config.ingress()
                    .mindbus()
                    .breaker()
                    .ifPresent(policy -> book.suspendBy(Map.of(MindBusGateway.WIRE, policy)));
            metrics.watch(book);
            book.addListener((worker, drains) -> {
                httpRequestLog.done(
                        "worker " + worker,
                        drains ? "drains" : "drains no more",
                        "by its own word");
                fleetEvents.drains(worker, drains, "worker " + worker);
            });
            opened.push(book::close);
            engine.addListener(
                    traces.map(its -> its.handingOutSpans(session, engine::live)).orElse(session));
            var pulse = vitals.heart("artel-session");
            session.addListener(
                    pulse::begin,
                    pulse::rest,
                    error -> vitals.fatal("artel-session", error, List.of()));
            book.reviewedBy(session::review);
            start.begin();
            session.recall(storage.fleet().registrations(FleetRegistry.REGISTRATIONS));
            session.connect(book);
            webSockets.start();
            zeroMq = openZeroMq(config, session, gateway, workerLimits, vitals);
            zeroMq.ifPresent(metrics::watch);
            mindBus = openMindBus(config, session, book, vitals, workerPresence);
            mindBus.ifPresent(metrics::watch);
            metrics.watch(engine, book::present);
            var embedded = startActions(config, session);
            opened.push(http::close);
            opened.push(session::close);
            opened.push(streams::close);
            opened.push(webSockets::close);
            zeroMq.ifPresent(open -> opened.push(open::close));
            mindBus.ifPresent(open -> opened.push(open::close));
            embedded.ifPresent(its -> opened.push(its::close));
            folder.ifPresent(at -> {
                var watch =
                        TokenWatch.start(at, accessControl, httpRequestLog, streams::endAll, clock);
                opened.push(watch::close);
            });
            opened.push(lifecycle::stopping);
            schedules = openSchedules();
            opened.push(schedules::close);
            metrics.watch(schedules);
            scheduleFile =
                    new ScheduleFile(config.blueprints().schedules(), folder, schedules, clock);
            takeUpSchedules();
            scheduleCode = new ScheduleCode(blueprints, schedules, clock);
            scheduleCode.takeUp();
            blueprints.onRegistered(scheduleCode::takeUp);
            engine.observedBy((job, _) -> {
                if (job.isFinal()) {
                    schedules.ended(job.id());
                }
            });
            start.rest();
            cardUpdates.ifPresent(updates -> {
                opened.push(updates::close);
                updates.start();
            });
            mindBus.ifPresent(Wiring::awaitQueues);
            lifecycle.ready(engine, book, webhooks, () -> problems(launch));
            var inUse = new DefinitionsInUse(lifecycle, storage.events());
            planned.removeUnneeded(() -> {
                var look = inUse.look();
                return blueprint -> look.test(UploadedJars.Definition.of(blueprint));
            });
            supervision.crashLoop().ifPresent(this::holdSchedules);
            schedules.start(error ->
                    vitals.fatal(
                            "artel-schedules",
                            error instanceof Error itself ? itself : new Error(error),
                            List.of()));
            httpRequestLog.done("started", "");
            warnOfPlainHttp(config);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Optional<ZeroMqWorkerGateway> openZeroMq(
            ServerConfig config,
            SessionShell session,
            HttpWorkerGateway gateway,
            WorkerLimits workerLimits,
            Vitals vitals) {
        var wanted = config.ingress().zeromq();
        if (!wanted.isEnabled()) {
            return Optional.empty();
        }
        var assignments = new TaskAssignments(parameters, gateway.valueAddresses());
        var orchestrator =
                new ZeroMqWorkerGateway.Orchestrator(
                        session,
                        gateway.authentication(),
                        workerLimits,
                        assignments,
                        gateway.valueAddresses(),
                        new MonotonicTime(clock.instant()),
                        config.session().cancelTimeout(),
                        error ->
                                vitals.fatal(
                                        "artel-zeromq",
                                        error instanceof Error itself ? itself : new Error(error),
                                        List.of()));
        try {
            var open = ZeroMqWorkerGateway.open(orchestrator, wanted.sockets());
            LOG.atInfo()
                    .addKeyValue("host", wanted.host())
                    .addKeyValue("ports", open.ports())
                    .log("listening for workers on ZeroMQ");
            return Optional.of(open);
        } catch (IllegalStateException refused) {
            throw new StartupException(String.valueOf(refused.getMessage()), refused);
        }
    }

    private Optional<MindBusGateway> openMindBus(
            ServerConfig config,
            SessionShell session,
            FleetRegistry book,
            Vitals vitals,
            WorkerPresence presence) {
        return config.ingress()
                .mindbus()
                .bus()
                .map(wanted ->
                        MindBusGateway.open(
                                new MindBusGateway.Orchestrator(
                                        session,
                                        new TaskAssignments(parameters, Optional.empty()),
                                        storage.fleet().registrations(FleetRegistry.REGISTRATIONS),
                                        this::paramsOf,
                                        agentNames(presence),
                                        agentFleet(book),
                                        new MonotonicTime(clock.instant()),
                                        error ->
                                                vitals.fatal(
                                                        "artel-mindbus",
                                                        error instanceof Error itself
                                                                ? itself
                                                                : new Error(error),
                                                        List.of())),
                                wanted));
    }

    /// What a task was given, as its job has it.
    private Optional<Payload> paramsOf(HandOut task) {
        return engine.find(task.job())
                .filter(job -> task.task() < job.tasks().size())
                .map(job -> job.tasks().get(task.task()).spec().params());
    }

    private AgentNames agentNames(WorkerPresence presence) {
        return new AgentNames() {
            @Override
            public Optional<String> refusal(WorkerId name) {
                if (OwnWorkers.include(name)) {
                    return Optional.of(OwnWorkers.refusal(name));
                }
                return accessControl.hasOwnToken(name)
                        ? Optional.of(
                                "the worker "
                                        + name
                                        + " has a token of its own, which the bus does not carry; give the agent another name")
                        : Optional.empty();
            }

            @Override
            public long revision() {
                return accessControl.revision();
            }

            @Override
            public boolean isOnAnotherWire(WorkerId name) {
                return presence.isOnAnotherWireThan(MindBusGateway.WIRE, name);
            }
        };
    }

    /// An agent registers once, when it starts: one that is started as soon as the orchestrator is ready finds the queue of the events. A
    /// broker that is away holds up the start for a moment only.
    private static void awaitQueues(MindBusGateway bus) {
        try {
            if (!bus.isConnectedWithin(LONGEST_WAIT_FOR_BROKER)) {
                LOG.atWarn()
                        .log(
                                "RabbitMQ does not answer yet, and the orchestrator starts without it; agents that"
                                        + " register before its queues are declared get no tasks until they are started anew");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The same after a restart, so that what workers got for their tokens is good then.
    private byte[] exchangeKey() {
        return new SigningKeys(storage.dataStores(), "artel.worker-tokens")
                .sign("exchanged tokens".getBytes(UTF_8));
    }

    private static List<String> ownTypes(ActionSettings actions) {
        return actions.enabled() && !actions.shared() ? BuiltInActions.TYPES : List.of();
    }

    private Optional<EmbeddedWorker> startActions(ServerConfig config, SessionShell session) {
        return config.actions().enabled()
                ? Optional.of(
                        EmbeddedWorker.start(
                                config.actions(),
                                config.actions().folderIn(config.data()),
                                () -> secrets,
                                session,
                                new TaskAssignments(parameters, Optional.empty()),
                                job -> storage.events().find(job).map(JobRow::client).orElse("")))
                : Optional.empty();
    }

    private static void warnOfPlainHttp(ServerConfig config) {
        if (config.ingress().zeromq().isPlainForOthers()) {
            LOG.atWarn()
                    .addKeyValue("host", config.ingress().zeromq().host())
                    .log(
                            "tokens and tasks travel unencrypted over ZeroMQ, and other machines reach"
                                    + " this address: set zeromq.curve-public-key and"
                                    + " zeromq.curve-secret-key");
        }
        if (config.ingress().zeromq().isOpenToAllKeys()) {
            LOG.atWarn()
                    .addKeyValue("host", config.ingress().zeromq().host())
                    .log(
                            "each peer that knows the public key may connect over ZeroMQ, and other machines"
                                    + " reach this address: name the keys of the workers in"
                                    + " zeromq.curve-clients");
        }
        if (config.isPlainForOthers()) {
            LOG.atWarn()
                    .addKeyValue("host", config.http().host())
                    .log(
                            "tokens and jobs travel over plain HTTP, and other machines reach this"
                                    + " address: set tls.certificate and tls.key, or name the proxy"
                                    + " that speaks TLS in proxy.trusted");
        }
    }

    private static Tokens tokens(ServerConfig config) {
        return switch (config.tokens()) {
            case TokenSettings.Kept _ -> DataFolder.at(config.data()).tokens();
            case TokenSettings.Given(var client, var worker) -> new Tokens(client, worker, false);
        };
    }

    private static String sourceOf(ServerConfig config) {
        return config.tokens() instanceof TokenSettings.Kept ? TokenFile.NAME : "the settings";
    }

    /// All tokens that there would be with `register`, without starting anything.
    ///
    /// @throws StartupException if the files cannot be used
    public static AccessControl.Overview tokens(ServerConfig config, TokenRegister register) {
        try {
            var areKnown =
                    config.tokens() instanceof TokenSettings.Given
                            || Files.exists(config.data().resolve(TokenFile.NAME));
            var defaults = areKnown ? Optional.of(tokens(config)) : Optional.<Tokens>empty();
            return AccessControl.overview(
                    config.ingress().access(),
                    config.data().toAbsolutePath(),
                    defaults.map(Tokens::client),
                    defaults.map(Tokens::worker),
                    sourceOf(config),
                    register);
        } catch (AccessControl.Unusable unusable) {
            throw new StartupException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private static AccessControl access(
            ServerConfig config,
            Optional<Path> folder,
            Tokens tokens,
            Secret redisToken,
            InstantSource clock) {
        try {
            var redis = config.ingress().redis();
            var client = redis.rights().client();
            return new AccessControl(
                    config.ingress().access(),
                    folder,
                    new OrchestratorTokens(
                            Optional.of(tokens.client()),
                            Optional.of(tokens.worker()),
                            sourceOf(config),
                            redis.uri()
                                    .map(_ ->
                                            new OwnClient(
                                                    client,
                                                    !client.equals(
                                                            RedisSettings.Rights.BUILT_IN_CLIENT),
                                                    "redis.client",
                                                    redisToken))),
                    clock);
        } catch (AccessControl.Unusable unusable) {
            throw new StartupException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    /// Opens the stores beside the rest, which needs about as long.
    private CompletableFuture<Storage> open(DataFolder folder, ServerConfig config) {
        var opening = new CompletableFuture<Storage>();
        Thread.ofPlatform()
                .name("artel-open")
                .start(() -> {
                    try {
                        opening.complete(
                                folder.open(config.payloads(), config.backup().to().isPresent()));
                    } catch (RuntimeException | Error e) {
                        opening.completeExceptionally(e);
                    }
                });
        opened.push(() -> opening.handle((own, _) -> own).thenAccept(Wiring::closeStore).join());
        return opening;
    }

    /// Closed behind the engine, so that its last words are in the copy.
    private void copy(Storage.Copied copied, ServerConfig config, Metrics metrics) {
        try {
            var place = BackupPlace.open(config.backup());
            var backup =
                    ContinuousBackup.start(
                            config.data().toAbsolutePath().normalize(),
                            copied.events().committedPages(),
                            copied.values(),
                            place,
                            config.backup().every(),
                            clock);
            opened.push(backup::close);
            metrics.watch(backup);
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot keep a copy, as backup.to asks: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /// Two threads that load the same classes could wait for each other.
    private static void awaited(Thread loading) {
        try {
            loading.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartupException("interrupted while starting", interrupted);
        }
    }

    private static void closeStore(@Nullable Storage own) {
        if (own != null) {
            own.events().close();
            own.objects().ifPresent(ObjectStore::close);
        }
    }

    private static Storage opened(CompletableFuture<Storage> opening) {
        try {
            return opening.join();
        } catch (CompletionException failed) {
            switch (failed.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error error -> throw error;
                case null, default -> throw failed;
            }
        }
    }

    private void mount(
            RoutesConfig routes,
            ServerConfig config,
            SessionShell session,
            Metrics metrics,
            WebSocketWorkerGateway webSockets) {
        JsonErrors.mount(routes);
        routes.before("/_worker/*", lifecycle::refuseWhenStopping);
        routes.before(metrics::begin);
        routes.before(UnreadBody::dropOfReader);
        routes.after(UnreadBody::dropBeforeAnswer);
        routes.after(metrics::answered);
        publicApi(config, metrics).mount(routes);
        new DashboardRoutes(DashboardFiles.load()).mount(routes);
        var heavy = new HeavyRequests();
        new SessionRoutes(authenticator, dashboardSessions, () -> address(config)).mount(routes);
        new ClientApi(
                        new ClientApi.Parts(
                                lifecycle,
                                storage.events(),
                                jobCounts,
                                storage.payloads(),
                                progress,
                                accessControl,
                                authenticator,
                                newJobs,
                                gate,
                                () -> schedules,
                                heavy,
                                approvalLinks,
                                new Feeds(
                                        storage.events(),
                                        StreamRoutes.briefs(),
                                        eventWaiters,
                                        fleetEvents,
                                        streams),
                                broadcast,
                                overview,
                                openNeeds,
                                stateFigures,
                                config.http().maxBodyBytes(),
                                config.http().shared().waits(),
                                clock))
                .mount(routes);
        new AdminApi(
                        new AdminApi.Parts(
                                accessControl,
                                authenticator,
                                lifecycle,
                                storage.events(),
                                clock,
                                config.blueprints().upload(),
                                () -> uploadedJars,
                                () -> cards,
                                () -> reload("an operator asked for it"),
                                httpRequestLog.auditLines(),
                                systemView(config)::document,
                                () -> secrets.sequencedValues()))
                .mount(routes);
        new WorkersApi(
                        lifecycle,
                        session,
                        authenticator,
                        new WorkersApi.Drains(
                                fleetEvents,
                                (worker, reason) -> {
                                    webSockets.drain(worker, reason);
                                    zeroMq.ifPresent(open -> open.drain(worker, reason));
                                },
                                (worker, reason, shutsDown) ->
                                        takeBack(session, worker, reason, shutsDown)),
                        heavy,
                        config.http().maxBodyBytes())
                .mount(routes);
    }

    private SystemView systemView(ServerConfig config) {
        return new SystemView(
                config,
                new SystemView.Parts(
                        settings,
                        accessControl,
                        folder,
                        () -> storage.events().backlog().bytes(),
                        () -> limits,
                        () -> listeners(config)),
                clock);
    }

    private List<SystemView.Listener> listeners(ServerConfig config) {
        var all = new ArrayList<SystemView.Listener>();
        all.add(new SystemView.Listener("http", uri(config).toString()));
        all.add(
                new SystemView.Listener(
                        "websocket", uri(config).toString().replaceFirst("^http", "ws")));
        zeroMqPorts()
                .ifPresent(ports ->
                        all.add(
                                new SystemView.Listener(
                                        "zeromq", config.ingress().zeromq().host() + " " + ports)));
        if (mindBus.isPresent()) {
            config.ingress()
                    .mindbus()
                    .uri()
                    .ifPresent(at ->
                            all.add(
                                    new SystemView.Listener(
                                            "mindbus", at.getHost() + ":" + at.getPort())));
        }
        config.ingress()
                .operations()
                .listen()
                .ifPresent(at ->
                        all.add(
                                new SystemView.Listener(
                                        "operations",
                                        at.host() + ":" + operationsPort.orElse(at.port()))));
        return all;
    }

    /// What a worker has in work goes to others, as if it had left.
    private void takeBack(SessionShell session, WorkerId worker, String reason, boolean shutsDown) {
        var isAgent = mindBus.filter(open -> open.stop(worker, reason, shutsDown)).isPresent();
        if (!isAgent) {
            var _ = session.send(worker, new WorkerMessage.Disconnect(worker.value()));
        }
    }

    /// How agents on RabbitMQ are held back.
    private AgentFleet agentFleet(FleetRegistry book) {
        return new AgentFleet() {
            @Override
            public void limited(WorkerId agent, Instant until) {
                book.limited(agent, until);
            }

            @Override
            public void paused(List<WorkerId> agents, String by, Optional<String> reason) {
                var more = agents.stream().filter(agent -> !isDrained(book, agent)).toList();
                for (var record : book.drainAll(more, by, reason)) {
                    fleetEvents.drains(record.id(), true, by);
                }
            }

            @Override
            public void resumed(List<WorkerId> agents, String by) {
                var held =
                        agents.stream()
                                .filter(agent ->
                                        isDrained(book, agent)
                                                || book.breaker(agent)
                                                        .filter(breaker -> !breaker.isClean())
                                                        .isPresent())
                                .toList();
                for (var record : book.undrainAll(held)) {
                    fleetEvents.drains(record.id(), false, by);
                }
            }
        };
    }

    /// Senders on RabbitMQ repeat their controls as often as they like.
    private static boolean isDrained(FleetRegistry book, WorkerId agent) {
        return book.find(agent).flatMap(WorkerRecord::drain).isPresent();
    }

    private PublicApi publicApi(ServerConfig config, Metrics metrics) {
        return new PublicApi(lifecycle, metrics, instance, config.ingress().operations());
    }

    private void watch(OperationsSettings.Listen at, PublicApi api) {
        var listener = OperationsListener.open(at, api::mountOperations);
        opened.push(listener::close);
        operationsPort = OptionalInt.of(listener.port());
    }

    private void refusedUntil(WorkerId worker, Instant until) {
        var book = fleet;
        if (book != null) {
            book.limited(worker, until);
        }
    }

    /// Whether a message of a worker leads to no work of the engine or of the store. The session may be busy: then
    /// the thread that is in it receives the request, too.
    private boolean isQuiet() {
        return fleet != null && !engine.isHopeful();
    }

    private JsonValue resolve(Payload payload) {
        return payload instanceof Payload.Inline(var value)
                ? value
                : storage.payloads().resolve(payload);
    }

    private void checkGraphs(ServerConfig config, Blueprints blueprints) {
        try {
            new GraphRegistry(storage.dataStores()).check(blueprints, config.blueprints().strict());
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot compare the blueprints with those of the last start: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private CardLibrary openCards(ServerConfig config, Blueprints blueprints) {
        try {
            return CardLibrary.open(
                    storage.dataStores(), blueprints, clock, some -> objection(config, some));
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot read the process cards: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private PlannedCards openPlannedCards(Blueprints blueprints) {
        try {
            return PlannedCards.open(storage.dataStores(), blueprints);
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot read the cards with which jobs go on: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private Scheduler openSchedules() {
        try {
            return Scheduler.open(
                    storage.dataStores(),
                    new ScheduleSubmissions(accessControl, gate, engine, storage.events(), clock),
                    clock);
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot read the schedules: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /// A schedule may be what ends the process, by a job of which nothing is known yet: a person has time to pause it.
    private void holdSchedules(String shown) {
        schedules.hold(
                HOLD_OF_CRASH_LOOP,
                shown
                        + "; schedules wait until "
                        + HOLD_OF_CRASH_LOOP.toMinutes()
                        + " minutes after the start, so that the one that may be the cause can be paused or deleted");
        LOG.atWarn()
                .addKeyValue("ends", shown)
                .addKeyValue("minutes", HOLD_OF_CRASH_LOOP.toMinutes())
                .log("the process has ended again and again; schedules wait");
    }

    private void takeUpSchedules() {
        try {
            var taken = scheduleFile.takeUp();
            if (!taken.wrong().isEmpty()) {
                throw new StartupException(String.join("; ", taken.wrong()), null);
            }
            if (!taken.unmet().isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("problems", taken.unmet())
                        .log("not all schedules of the file are in force");
            }
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot keep the schedules of "
                            + ScheduleFile.NAME
                            + ": "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private List<String> problems(Launch launch) {
        var all = new ArrayList<>(launch.problems());
        all.addAll(cards.problems());
        all.addAll(planned.problems());
        all.addAll(schedules.problems());
        all.addAll(scheduleFile.problems());
        all.addAll(scheduleCode.problems());
        cardUpdates.ifPresent(updates -> all.addAll(updates.problems()));
        return all;
    }

    /// Why blueprints that are uploaded must not be taken up.
    private Optional<String> objection(ServerConfig config, Blueprints some) {
        try {
            checkGraphs(config, some);
            return Optional.empty();
        } catch (StartupException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    /// Lines of the log about a job that is in memory name its trace.
    private void nameTraces(JobTracing tracing) {
        var naming =
                LoggedTraces.from(job ->
                        JobId.isValid(job)
                                ? engine.live(new JobId(job)).flatMap(tracing::traceOf)
                                : Optional.empty());
        opened.push(naming::close);
    }

    /// Closed behind the engine, so that its last events are in the traces, and before the stores.
    private Optional<JobTracing> openTraces(ServerConfig config, Metrics metrics) {
        var wanted = config.ingress().operations().traces();
        if (wanted.endpoint().isEmpty()) {
            return Optional.empty();
        }
        try {
            var tracing = JobTracing.open(wanted, storage.events(), storage.dataStores());
            opened.push(tracing::close);
            metrics.watch(tracing);
            return Optional.of(tracing);
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot read up to where traces were sent: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private LocalEngine startEngine(
            ServerConfig config, Blueprints blueprints, Webhooks webhooks, Vitals vitals) {
        try {
            var started =
                    LocalEngine.start(
                            config.engine(),
                            storage.events(),
                            storage.payloads(),
                            storage.dataStores(),
                            blueprints,
                            clock,
                            // From the start on: a wait may be over as soon as its job is taken up.
                            List.of(openNeeds, stateFigures),
                            webhooks,
                            vitals);
            opened.push(started::close);
            return started;
        } catch (StoreException e) {
            throw new StartupException(
                    "cannot take up the open jobs: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private void sweep(ObjectStore objects, Duration grace, Metrics metrics) {
        var payloadCollector =
                new PayloadCollector(storage.events(), objects, clock, grace, engine::isFull);
        opened.push(payloadCollector::close);
        metrics.watch(payloadCollector);
        payloadCollector.start();
    }

    /// How workers are shared, by the settings and by the files of clients and of limits.
    private DispatchSettings sharing() {
        return dispatch.withWeights(accessControl.weights()).withLimits(limits);
    }

    private List<String> readLimits() {
        var reading = LimitsFile.read(folder);
        reading.warnings().forEach(warning -> LOG.atWarn().log(warning));
        if (reading.problems().isEmpty()) {
            limits = reading.limits();
        }
        return reading.problems();
    }

    private List<String> readPrices() {
        var reading = PricesFile.read(folder);
        reading.warnings().forEach(warning -> LOG.atWarn().log(warning));
        if (reading.problems().isEmpty()) {
            prices = reading.prices();
        }
        return reading.problems();
    }

    private static Path secretsFile(ServerConfig config) {
        return config.actions()
                .secrets()
                .orElseGet(() -> config.data().resolve(SecretsFile.NAME))
                .toAbsolutePath();
    }

    /// Secrets that are there do not go with their file, and a file that was named has to be there.
    private static SecretsFile.Reading readSecrets(ServerConfig config, boolean hasSome) {
        var file = secretsFile(config);
        return hasSome || config.actions().secrets().isPresent()
                ? SecretsFile.read(file)
                : SecretsFile.readIfThere(file);
    }

    private List<String> readSecrets() {
        var reading = readSecrets(launched, !secrets.isEmpty());
        reading.warnings().forEach(warning -> LOG.atWarn().log(warning));
        if (reading.problems().isEmpty()) {
            secrets = reading.secrets();
        }
        return reading.problems();
    }

    /// Reads again what can be read again: settings, clients, workers, limits, prices, secrets, the certificate and the folder of
    /// blueprints. What cannot be used changes nothing.
    ///
    /// @param why for the audit
    public synchronized ReloadReport reload(String why) {
        var report = new ReloadReport.Draft();
        settings.reread(report, webhooks);
        reloadAccess(report);
        var before = limits;
        report.wrong(readLimits());
        report.read(LimitsFile.NAME, !limits.equals(before));
        var earlier = prices;
        report.wrong(readPrices());
        report.read(PricesFile.NAME, !prices.equals(earlier));
        var known = secrets;
        report.wrong(readSecrets());
        report.read(SecretsFile.NAME, !secrets.equals(known));
        reloadSchedules(report);
        engine.price(prices);
        engine.configure(sharing());
        var book = fleet;
        if (book != null) {
            book.review();
        }
        if (tls != null) {
            reloadTls(tls, report);
        }
        newBlueprints.ifPresent(each -> each.takeUp(report));
        cardUpdates.ifPresent(each -> {
            each.look().forEach(report::changed);
            report.wrong(each.problems());
        });
        var done = report.done();
        httpRequestLog.done("reload", why + ": " + done.line());
        LOG.atInfo()
                .addKeyValue("changed", done.changed())
                .addKeyValue("needs_restart", done.needsRestart())
                .addKeyValue("problems", done.problems())
                .log("read again");
        return done;
    }

    private void reloadSchedules(ReloadReport.Draft report) {
        try {
            var taken = scheduleFile.takeUp();
            report.wrong(taken.wrong());
            report.wrong(taken.unmet());
            report.read(ScheduleFile.NAME, taken.isChanged());
        } catch (StoreException away) {
            report.wrong(
                    List.of(
                            ScheduleFile.NAME
                                    + ": it cannot be put in force now: "
                                    + away.getMessage()));
        }
    }

    /// What began with a certificate ends when its authority is removed: its connection, its streams, and what was exchanged for it.
    private void reloadTls(Tls secured, ReloadReport.Draft report) {
        var certificate = secured.inForce();
        var authorities = secured.authorities();
        report.wrong(secured.reload());
        report.read("certificate", !secured.inForce().equals(certificate));
        if (!secured.authorities().equals(authorities)) {
            accessControl.forgetCertificates();
            http.endUnless(secured::isGood);
            streams.endAll();
        }
    }

    private static DashboardSessions.Limits sessionLimits(AccessSettings access) {
        return DashboardSessions.Limits.DEFAULTS.withTimes(
                access.sessions().idle(), access.sessions().longest());
    }

    private void reloadAccess(ReloadReport.Draft report) {
        dashboardSessions.use(sessionLimits(settings.access()));
        var before = accessControl.revision();
        if (accessControl.reload(settings.access())
                instanceof AccessControl.Reload.Refused(var found)) {
            report.wrong(found);
        } else {
            streams.endAll();
        }
        report.read("clients and workers", accessControl.revision() != before);
    }

    /// Whether it speaks TLS.
    public boolean isSecure() {
        return tls != null;
    }

    /// Where people reach it.
    private String address(ServerConfig config) {
        var proxy = config.ingress().proxy();
        return proxy.publicUrl()
                .map(url -> url + proxy.basePath())
                .orElseGet(() -> uri(config).toString());
    }

    /// Where people reach the dashboard.
    public String dashboard(ServerConfig config) {
        return address(config) + "/";
    }

    /// Where the client `default` is logged in at the dashboard once, within a few minutes; empty if its token is not good.
    public Optional<String> dashboardLink(ServerConfig config) {
        var token = TokenDigest.of(tokens.client().value());
        return accessControl.isGood(token)
                ? Optional.of(SessionRoutes.url(address(config), dashboardSessions.link(token)))
                : Optional.empty();
    }

    /// What workers declare about themselves takes a part of the heap at most.
    private static SessionSettings withinMemory(SessionSettings settings) {
        var share = Runtime.getRuntime().maxMemory() / DECLARED_PART;
        return settings.withLimits(settings.limits().withStatusBytes(share));
    }

    private List<String> groupsOf(String client) {
        return accessControl.client(client).map(Caller::groups).orElse(List.of());
    }

    /// Where clients and workers on this machine reach it.
    public URI uri(ServerConfig config) {
        var host = config.http().host();
        var reachable =
                switch (host) {
                    case "0.0.0.0", "::", "[::]" -> "127.0.0.1";
                    default ->
                            host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
                };
        return URI.create(
                (isSecure() ? "https://" : "http://")
                        + reachable
                        + ":"
                        + port()
                        + config.ingress().proxy().basePath());
    }

    /// The port on which it listens.
    public int port() {
        return http.port();
    }

    /// The port on which it listens for programs that watch it; empty: on none of their own.
    public OptionalInt operationsPort() {
        return operationsPort;
    }

    /// Where it listens for workers on ZeroMQ; empty: nowhere.
    public Optional<ZeroMqConfig.Ports> zeroMqPorts() {
        return zeroMq.map(ZeroMqWorkerGateway::ports);
    }

    /// What it answers, as in `GET /healthz`, sorted; without WebSockets.
    public List<String> routes() {
        return http.routes();
    }

    /// What the orchestrator sends to itself for tasks in Redis; of this process alone.
    public Secret redisToken() {
        return redisToken;
    }

    /// The tokens in force.
    public Tokens tokens() {
        return tokens;
    }

    /// Who runs the jobs.
    public LocalEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.atWarn().setCause(e).log("a part of the orchestrator did not close in order");
            }
        }
    }
}
