package dev.artel.engine.shell;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorView;
import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.engine.core.dispatch.DispatchSurvey;
import dev.artel.engine.core.dispatch.Forecast;
import dev.artel.engine.core.dispatch.ForecastQuestion;
import dev.artel.engine.core.watch.Stall;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Mismatch;
import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.Submitter;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobPatch;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs jobs durably in this process, on one event store. Safe for use by many threads.
///
/// [#start] takes up what the store has open; [#close] lets running handlers end, writes what is decided and leaves
/// the rest to the next start. The store is the caller's to close, afterwards.
public final class LocalEngine implements Engine, WorkerPort, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalEngine.class);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final Duration AHEAD = Duration.ofMillis(20);

    private final PriceTable prices = new PriceTable();
    private volatile DefinitionKeeper definitions = DefinitionKeeper.NONE;
    private final EngineConfig config;
    private final EventStore store;
    private final Blueprints blueprints;
    private final InstantSource clock;
    private final KeptLast<JsonValue, Payload> signalled = new KeptLast<>();
    private final KeptLast<Resolution, Resolution> resolved = new KeptLast<>();
    private final KeptLast<QuarantineAction, QuarantineAction> acted = new KeptLast<>();
    private final LargeValues largeValues;
    private final JobRoom jobRoom = new JobRoom(Runtime.getRuntime().maxMemory());
    private final ApprovalTokens approvalTokens;
    private final StoreWriter writer;
    private final CoordinatorShell coordinator;
    private final StepRunner steps;
    private final ChildRelay children;

    /// A survey is made again and again, and the next one is soon there.
    private static final Duration LONGEST_SURVEY = Duration.ofSeconds(1);

    private final WebhookRelay webhooks;
    private final MissingDefinitions missing;
    private final WebhookBacklog webhookBacklog;
    private final Retention retention;
    private final List<Partition> partitions;
    private final CompletionWaiters waiters = new CompletionWaiters();
    private final List<JobObserver> observers = new CopyOnWriteArrayList<>();
    private final AtomicReference<WorkerPort.Listener> listener =
            new AtomicReference<>(new IgnoringListener());
    private final Unreadable unreadable = new Unreadable();
    private final Vitals vitals;
    private final Recovery recovery;
    private final CommandRouter post;
    private final QuestionWaiters questionWaiters;
    private final KeyedIds keyedIds;
    private final StandingPauses pauses;
    private final Submissions submissions;
    private final RewindAndFork rewindAndFork;
    private final JobReader reader;
    private final JobReader ownReader;
    private final FoldKeeper folds;
    private volatile @Nullable StallScanner patrol;

    private LocalEngine(
            EngineConfig config,
            EventStore store,
            PayloadStore payloads,
            KeyValueStore dataStores,
            Blueprints blueprints,
            InstantSource clock,
            Vitals vitals) {
        this.vitals = vitals;
        store.setWatch(vitals::heart);
        recovery = new Recovery(unreadable, observers, vitals);
        this.config = config;
        this.store = store;
        this.blueprints = blueprints;
        this.clock = clock;
        largeValues = new LargeValues(payloads);
        var pendingReplies = new PendingReplies<CommandReply>();
        post = new CommandRouter(this::partitionOf, pendingReplies, config.answerLimit());
        // What clients read must not keep the engine from reading.
        var own = store.reserved();
        Function<JobId, Optional<Job>> live = job -> partitionOf(job).find(job);
        reader = new JobReader(store, live, waiters);
        ownReader = new JobReader(own, live, waiters);
        folds = new FoldKeeper(store, vitals);
        var openQuestions = new OpenQuestions();
        observers.add(openQuestions);
        questionWaiters = new QuestionWaiters(post, reader, openQuestions, this::now);
        writer = new StoreWriter(store, vitals);
        approvalTokens = new ApprovalTokens(dataStores);
        pauses = new StandingPauses(dataStores);
        steps =
                new StepRunner(
                        blueprints,
                        new HandlerInvoker(
                                largeValues,
                                new StepFactory(largeValues, dataStores, JobEventReader.of(own)),
                                new ActionKeeping(
                                        largeValues,
                                        approvalTokens,
                                        prices,
                                        (client, text) -> definitions.keep(client, text),
                                        jobRoom),
                                new ParameterRoom(
                                        Runtime.getRuntime().maxMemory(),
                                        LongLivedHeap.ofProcess()::isShort)),
                        clock,
                        config.handlers(),
                        AHEAD,
                        post::leave,
                        Optional.of(jobsOfSteps()),
                        vitals);
        coordinator =
                new CoordinatorShell(
                        config.freshTerm(),
                        new SecureRandom(),
                        clock,
                        steady(clock.instant()),
                        post::send,
                        reserved -> partitionOf(reserved.job()).put(reserved),
                        job -> partitionOf(job).leave(new JobsInput.Repeat(job)),
                        listener,
                        vitals);
        webhooks = new WebhookRelay(clock, post::send);
        missing =
                new MissingDefinitions(
                        blueprints, job -> partitionOf(job).put(new JobsInput.Repeat(job)));
        children =
                new ChildRelay(
                        blueprints,
                        steps::check,
                        new ChildRelay.Values(
                                largeValues,
                                parent -> jobRoom.ofChild(partitionOf(parent).find(parent))),
                        clock,
                        post,
                        webhooks::subscribed,
                        id -> own.find(id).isPresent(),
                        missing,
                        pauses);
        var receivers =
                new Partition.Receivers(
                        coordinator::put,
                        steps,
                        children,
                        webhooks,
                        missing,
                        Definitions.of(blueprints::of),
                        this::happened,
                        vitals,
                        unreadable,
                        folds::keep);
        partitions =
                IntStream.range(0, config.partitions())
                        .mapToObj(i ->
                                new Partition(
                                        "artel-jobs-" + i,
                                        config.room() / config.partitions() + 1,
                                        own,
                                        writer,
                                        pendingReplies,
                                        receivers))
                        .toList();
        var heap = LongLivedHeap.ofProcess();
        vitals.beside(
                new ShortMemory(
                                heap::used,
                                heap::most,
                                () -> partitions.forEach(it -> it.leave(new JobsInput.Spare())))
                        ::look);
        keyedIds = new KeyedIds(dataStores, id -> store.find(id).isPresent());
        submissions =
                new Submissions(
                        blueprints,
                        steps::check,
                        largeValues,
                        webhooks,
                        writer,
                        post,
                        keyedIds,
                        pauses,
                        this::now,
                        config.maxSubmitting());
        rewindAndFork =
                new RewindAndFork(
                        store, blueprints, largeValues, webhooks, post, keyedIds, this::now);
        retention = new Retention(store, clock, config.keepClosed());
        webhookBacklog =
                new WebhookBacklog(
                        own,
                        ownReader::find,
                        webhooks,
                        job -> partitionOf(job).put(new JobsInput.Repeat(job)));
    }

    private StepRunner.Jobs jobsOfSteps() {
        return new StepRunner.Jobs() {
            @Override
            public Optional<Job> find(JobId job) {
                return ownReader.find(job);
            }

            @Override
            public void again(JobId job) {
                partitionOf(job).leave(new JobsInput.Repeat(job));
            }
        };
    }

    /// An engine that has taken up every open job of `store`.
    ///
    /// @param payloads keeps large values
    /// @param blueprints may get more definitions later
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    public static LocalEngine start(
            EngineConfig config,
            EventStore store,
            PayloadStore payloads,
            Blueprints blueprints,
            InstantSource clock) {
        return start(config, store, payloads, new UnavailableKeyValueStore(), blueprints, clock);
    }

    /// An engine that has taken up every open job of `store`.
    ///
    /// @param payloads keeps large values
    /// @param dataStores keeps what blueprints keep for all of their jobs
    /// @param blueprints may get more definitions later
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    public static LocalEngine start(
            EngineConfig config,
            EventStore store,
            PayloadStore payloads,
            KeyValueStore dataStores,
            Blueprints blueprints,
            InstantSource clock) {
        return new LocalEngine(
                        config,
                        store,
                        payloads,
                        dataStores,
                        blueprints,
                        clock,
                        Vitals.watching(Supervision.LOG_ONLY))
                .begin();
    }

    /// An engine that has taken up every open job of `store`, and that sends webhooks from its first moment on: also of
    /// a child that it starts because it was not started before.
    ///
    /// @param observers receive all that happens, also what happens to a job as soon as it is taken up
    /// @param notifier sends webhooks
    /// @param vitals watches over the parts, and is closed with the engine
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    public static LocalEngine start(
            EngineConfig config,
            EventStore store,
            PayloadStore payloads,
            KeyValueStore dataStores,
            Blueprints blueprints,
            InstantSource clock,
            List<JobObserver> observers,
            Notifier notifier,
            Vitals vitals) {
        var engine =
                new LocalEngine(config, store, payloads, dataStores, blueprints, clock, vitals);
        engine.observers.addAll(observers);
        engine.webhooks.connect(notifier);
        return engine.begin();
    }

    /// A clock that begins at `begin` and that is never set.
    private static InstantSource steady(Instant begin) {
        var origin = System.nanoTime();
        return () -> begin.plusNanos(System.nanoTime() - origin);
    }

    private LocalEngine begin() {
        vitals.supervision().watchHandlers(recovery.beside(steps.handlers()));
        configure(config.dispatch());
        recovery.recover(store.reserved(), this::partitionOf, missing::note);
        missing.log();
        // Before any worker can ask: limits count the leases that live.
        recovery.await(partitions);
        children.open();
        retention.start();
        return this;
    }

    /// Sets the listener to hand-outs and revocations; it receives the leases that live at once; one at a time.
    public void addListener(WorkerPort.Listener who) {
        listener.set(who);
        coordinator.put(new CoordinatorInput.Listened());
    }

    /// Workers are shared otherwise from now on.
    public void configure(DispatchSettings settings) {
        coordinator.put(new CoordinatorInput.Configured(settings));
    }

    /// Tasks that are opened from now on reserve so much of the budgets of their jobs, by type, unless their blueprint says how
    /// much they cost.
    public void price(Map<String, Spending> byType) {
        prices.set(byType);
    }

    /// Sets what keeps the definitions that jobs bring along from now on; before, steps that bring one fail.
    public void keepDefinitions(DefinitionKeeper keeper) {
        definitions = keeper;
    }

    /// Sets the notifier that calls webhooks from now on. Children that were about to be started when the engine
    /// was stopped may have begun by now, and no event is sent about them.
    public void addListener(Notifier notifier) {
        webhooks.connect(notifier);
    }

    /// Looks for jobs that are stuck, from now on.
    public void watchStalls(StallSettings settings) {
        var holders =
                new StallScanner.Holders(
                        this::partitionOf,
                        coordinator,
                        steps,
                        children,
                        webhooks,
                        missing,
                        ownReader::find,
                        () -> writer.obstacle().isPresent());
        var made = new StallScanner(settings, store.reserved(), holders, clock);
        patrol = made;
        made.start();
    }

    /// The jobs that are stuck, as far as is known; none without [#watchStalls].
    public List<Stall> stalls() {
        var watching = patrol;
        return watching == null ? List.of() : watching.stalls();
    }

    /// How many definitions open jobs need that are not there.
    public int missingDefinitions() {
        return missing.count();
    }

    /// Why jobs are held whose definitions are not there, each reason once; at most `most`.
    public List<String> missingReasons(int most) {
        return missing.reasons(most);
    }

    /// How many jobs cannot go on before a definition is there.
    public int heldJobs() {
        return missing.jobs();
    }

    /// Adds an observer.
    public void observedBy(JobObserver observer) {
        recovery.report(observer);
        observers.add(observer);
    }

    /// Sets the one observer of the dispatcher.
    public void observeDispatch(DispatchObserver observer) {
        coordinator.observedBy(observer);
    }

    /// Sets the one observer of commits.
    public void observeCommits(CommitObserver observer) {
        writer.observedBy(observer);
    }

    /// The definitions.
    public Blueprints blueprints() {
        return blueprints;
    }

    /// Everything for which the initial data of `submission` would be refused, as [#submit] compares them with what the blueprint wants; empty
    /// if they fit, if there is no such blueprint, or if it cannot be known now.
    public List<String> mismatches(Submission submission) {
        return steps.check(submission) instanceof InitialDataChecks.Finding.Checked(var found)
                ? found.stream().map(Mismatch::toString).toList()
                : List.of();
    }

    /// How many appends were made durable since the start, and by how many commits.
    public Counts counts() {
        return new Counts(writer.appends(), writer.commits());
    }

    /// See [#counts].
    public record Counts(long appends, long commits) {}

    /// Whose slots are taken at this moment, and by which leases; empty if the engine is too busy to answer.
    public Optional<CoordinatorView> look() {
        return coordinator.look(config.answerLimit());
    }

    /// What waits for workers and why, and what workers have, at this moment; empty if the dispatcher did not answer within a
    /// second.
    public Optional<DispatchSurvey> survey() {
        return coordinator.survey(LONGEST_SURVEY);
    }

    /// How many tasks wait for a worker at this moment.
    public int queuedTasks() {
        return coordinator.queued();
    }

    /// Whether a worker that is here may get a task when it asks. A task that none of them can do is no such task.
    public boolean isHopeful() {
        return coordinator.isHopeful();
    }

    /// Whether the store has no room at this moment.
    public boolean isFull() {
        return writer.isFull();
    }

    /// Why nothing becomes durable at this moment, or will not be able to soon, for people; empty if all is well.
    public Optional<String> obstacle() {
        return writer.obstacle().or(() -> store.backlog().obstacle());
    }

    // Engine

    @Override
    public SubmitReply submit(Submission submission) {
        return submissions.submit(submission);
    }

    @Override
    public boolean isKnown(String client, String key) {
        return store.find(keyedIds.of(client, key)).isPresent();
    }

    /// Removes a job that is closed, with all that is kept of it; see [EventStore#remove]. Nothing of it is in memory then,
    /// save what a reader has in hand. A submission with its idempotency key begins a new job.
    public EventStore.Removal remove(JobId job) {
        folds.forget(job);
        return store.remove(job);
    }

    @Override
    public CommandReply cancel(JobId job, String reason) {
        return post.ask(job, new JobCommand.Cancel(reason, now()));
    }

    @Override
    public CommandReply signal(
            JobId job, String signal, String id, JsonValue payload, String sender) {
        var kept = signalled.of(payload, value -> largeValues.keep(Payload.of(value)));
        var command = new JobCommand.Signal(signal, id, kept, sender, now());
        var reply = post.ask(job, command);
        var watching = patrol;
        if (watching != null && reply instanceof CommandReply.Done) {
            watching.acknowledged(job, id);
        }
        return reply;
    }

    @Override
    public CommandReply decide(JobId job, Approver by, String choice, Optional<String> comment) {
        var command = new JobCommand.DecideApproval(by, choice, comment, now());
        return post.ask(job, command);
    }

    @Override
    public CommandReply answer(JobId job, long number, String answer, String by) {
        var command = new JobCommand.AnswerQuestion(number, answer, by, now());
        return post.ask(job, command);
    }

    @Override
    public CommandReply resolve(JobId job, int task, Resolution resolution, String by) {
        var command =
                new JobCommand.ResolveTask(
                        task,
                        resolved.of(resolution, it -> largeValues.keep(it, share(job, task))),
                        by,
                        now());
        return post.ask(job, command);
    }

    @Override
    public CommandReply resolve(JobId job, QuarantineAction how, String by) {
        var refusal = rewindAndFork.refusal(job, how);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var command = new JobCommand.ResolveQuarantine(acted.of(how, largeValues::keep), by, now());
        return post.ask(job, command);
    }

    @Override
    public CommandReply change(JobId job, JobPatch patch, String by) {
        return post.ask(job, new JobCommand.ChangeJob(patch, by, now()));
    }

    @Override
    public CommandReply pause(JobId job, Optional<String> reason, String by) {
        return post.ask(job, new JobCommand.PauseJob(reason, by, now()));
    }

    @Override
    public CommandReply resume(JobId job, String by) {
        return post.ask(job, new JobCommand.ResumeJob(by, now()));
    }

    @Override
    public CommandReply extendBudget(JobId job, Spending more, String by) {
        return post.ask(job, new JobCommand.ExtendBudget(more, by, now()));
    }

    @Override
    public CommandReply rewind(JobId job, String state, JobData changes, String by) {
        return rewindAndFork.rewind(job, state, changes, by);
    }

    @Override
    public SubmitReply fork(
            JobId other, String state, JobData changes, Submitter by, Optional<String> key) {
        return rewindAndFork.fork(other, state, changes, by, key);
    }

    /// The token with which every holder may decide about `approval`; empty if it has none.
    public Optional<String> approvalToken(JobId job, Approval approval) {
        return approval.tokenDigest().map(_ -> approvalTokens.token(job, approval.step()));
    }

    /// The run of a handler of `job` for whose approval `token` is, found out without a look at the job; empty if it is for
    /// none, or the key with which it was made has expired.
    public Optional<EffectId> approvalStep(JobId job, String token) {
        return approvalTokens.step(job, token, now());
    }

    /// The digest by which `job` knows the approval of [#approvalStep].
    public String approvalDigest(Job job, EffectId step) {
        return approvalTokens.digestIn(job, step, now());
    }

    /// The keys with which tokens of approvals are made.
    public SigningKeys approvalKeys() {
        return approvalTokens.keys();
    }

    /// Which blueprints and clients are paused.
    public StandingPauses pauses() {
        return pauses;
    }

    @Override
    public Optional<Job> find(JobId job) {
        return reader.find(job);
    }

    @Override
    public Optional<Job> live(JobId job) {
        return partitionOf(job).find(job);
    }

    @Override
    public Optional<Job> awaitFinal(JobId job, Duration timeout) {
        return reader.awaitFinal(job, timeout);
    }

    /// Waits for the end of a job without reading its events.
    ///
    /// @return whether it has ended, or is not there; false after `timeout`, or when waiting was ended
    public boolean awaitEnd(JobId job, Duration timeout) {
        return reader.awaitEnd(job, timeout);
    }

    /// How many runs of handlers took longer than they might, since the start.
    public long overranHandlers() {
        return steps.overran();
    }

    /// The parts that have been at one thing for too long.
    public List<StuckPart> stuckParts() {
        return vitals.stuck();
    }

    /// Who watches over the parts, for those outside that belong to it.
    public Vitals vitals() {
        return vitals;
    }

    /// The open jobs that cannot be read or were set aside.
    public List<UnreadableJob> unreadable() {
        return unreadable.all();
    }

    /// Why an open job cannot be read, or was set aside; empty for one that can be read.
    public Optional<String> unreadable(JobId job) {
        return unreadable.of(job);
    }

    /// The handlers of each blueprint that has had one since the start, by name.
    public List<HandlerLoad> handlers() {
        return steps.loads();
    }

    @Override
    public Optional<String> whyNotBegun(JobId job, EffectId step) {
        return steps.whyNotBegun(job, step);
    }

    /// How many handlers go on although their time is over and they were interrupted.
    public int abandonedHandlers() {
        return steps.abandoned();
    }

    /// Answers the callers that wait for the end of a job, now and from now on: the process is about to stop.
    public void stopWaiting() {
        waiters.stop();
        questionWaiters.stop();
    }

    @Override
    public Map<Integer, WaitReason> whyNotYet(JobId job, List<Integer> tasks) {
        return tasks.isEmpty() ? Map.of() : coordinator.whyNotYet(job, tasks, config.answerLimit());
    }

    @Override
    public Optional<String> whyHeld(BlueprintRef blueprint, Optional<String> state) {
        return missing.why(blueprint, state);
    }

    @Override
    public Optional<String> whyHeld(JobSpec parent, ChildSpec child) {
        return missing.why(parent, child);
    }

    @Override
    public List<Eligibility> eligibilities(
            JobId job, int task, Optional<WorkerId> only, int limit) {
        return coordinator.eligibilities(job, task, only, limit, config.answerLimit());
    }

    /// Whether a task would be placed if it were queued now; empty if the dispatcher did not answer in time.
    ///
    /// @param blueprint the name of the definition of its job
    /// @param client whose it would be
    /// @param limit of so many workers at most
    public Optional<Forecast> forecast(
            String type, Demand demand, String blueprint, String client, int limit) {
        return coordinator.forecast(
                new ForecastQuestion(type, demand, blueprint, client), limit, config.answerLimit());
    }

    // Deliveries

    @Override
    public void limited(WorkerId worker, Instant until) {
        coordinator.put(new CoordinatorInput.Limited(worker, until));
    }

    @Override
    public void joined(WorkerProfile profile) {
        coordinator.put(new CoordinatorInput.Joined(profile));
    }

    @Override
    public void left(WorkerId worker, LeaseEnd reason) {
        coordinator.put(new CoordinatorInput.Left(worker, reason));
    }

    @Override
    public void ask(long ask, WorkerId worker, int max) {
        coordinator.put(new CoordinatorInput.Asked(ask, worker, max));
    }

    @Override
    public void withdraw(long ask) {
        coordinator.put(new CoordinatorInput.Withdrawn(ask));
    }

    @Override
    public void renew(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        coordinator.put(new CoordinatorInput.Renewed(worker, tokens, term));
    }

    @Override
    public RenewReply renewOnly(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        return coordinator
                .renewOnly(
                        new CoordinatorInput.RenewedOnly(0, worker, tokens, term),
                        config.answerLimit())
                .<RenewReply>map(RenewReply.Renewed::new)
                .orElseGet(() ->
                        new RenewReply.TryLater(
                                CommandRouter.LATER,
                                "renewing "
                                        + tokens.size()
                                        + " leases of worker "
                                        + worker
                                        + ": no answer within "
                                        + config.answerLimit()
                                        + "; send it again"));
    }

    @Override
    public void end(LeaseToken token, LeaseEnd reason) {
        coordinator.put(new CoordinatorInput.Ended(token, reason));
    }

    @Override
    public CommandReply report(
            WorkerId worker, LeaseToken token, TaskReport report, ReportedCost cost) {
        return token.address()
                .map(address ->
                        post.ask(address.job(), command(worker, token, address, report, cost)))
                .orElseGet(() -> unknown(token));
    }

    @Override
    public void report(
            WorkerId worker,
            LeaseToken token,
            TaskReport report,
            ReportedCost cost,
            Consumer<CommandReply> onReply) {
        token.address()
                .ifPresentOrElse(
                        address ->
                                post.ask(
                                        address.job(),
                                        command(worker, token, address, report, cost),
                                        onReply),
                        () -> onReply.accept(unknown(token)));
    }

    private static CommandReply unknown(LeaseToken token) {
        return new CommandReply.Refused(
                Decision.Reason.UNKNOWN_JOB,
                "task " + token + " was not handed out by this orchestrator");
    }

    private JobCommand.Report command(
            WorkerId worker,
            LeaseToken token,
            LeaseToken.Address address,
            TaskReport report,
            ReportedCost cost) {
        return new JobCommand.Report(
                address.task(),
                token,
                worker,
                kept(report, address.job(), address.task(), token, worker),
                cost,
                ThreadLocalRandom.current().nextDouble(),
                now());
    }

    @Override
    public QuestionReply question(
            WorkerId worker,
            LeaseToken token,
            Question question,
            Optional<Duration> within,
            Duration wait) {
        return questionWaiters.ask(worker, token, question, within, wait);
    }

    // The shell

    private void happened(JobsOutput.Happened happened) {
        if (happened.job().isFinal()) {
            waiters.ended(happened.job());
        }
        questionWaiters.happened(happened.job(), happened.events());
        for (var observer : observers) {
            try {
                observer.happened(happened.job(), happened.events());
            } catch (RuntimeException bug) {
                // The effects of the events must follow even if an observer fails.
                LOG.atError()
                        .addKeyValue("observer", observer.getClass().getSimpleName())
                        .addKeyValue("job", happened.job().id())
                        .setCause(bug)
                        .log("an observer failed; the job continues");
            }
        }
    }

    /// A report that the job does not await is decided without its value: a worker can send such reports without end, and each would be written
    /// and kept for a day.
    private TaskReport kept(
            TaskReport report, JobId job, int task, LeaseToken token, WorkerId worker) {
        var share = share(job, task);
        return !largeValues.mayBeKept(report, share)
                        || reader.find(job)
                                .filter(it -> Jobs.awaitsReport(it, task, token, worker))
                                .isPresent()
                ? largeValues.keep(report, share)
                : LargeValues.withoutValue(report);
    }

    private JobRoom.Share share(JobId job, int task) {
        return jobRoom.ofTask(partitionOf(job).find(job), task);
    }

    private Partition partitionOf(JobId job) {
        return partitions.get(Math.floorMod(job.hashCode(), partitions.size()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void close() {
        retention.close();
        webhookBacklog.close();
        var watching = patrol;
        if (watching != null) {
            watching.close();
        }
        coordinator.close();
        missing.close();
        children.close();
        try {
            steps.drain(DRAIN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        writer.close();
        folds.close();
        vitals.close();
    }
}
