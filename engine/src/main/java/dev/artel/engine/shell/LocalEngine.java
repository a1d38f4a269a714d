package dev.artel.engine.shell;

import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.DeskView;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.engine.core.watch.Stall;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Mismatch;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Deliveries;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Approval;
import dev.artel.kernel.job.Approver;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Mending;
import dev.artel.kernel.job.Recorded;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.job.Visit;
import dev.artel.kernel.placement.Verdict;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.NoKeyValueStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs jobs durably in this process, on one event store. Safe for use by many threads.
///
/// [#start] takes up what the store has open; [#close] lets running handlers end, writes what is decided and leaves
/// the rest to the next start. The store is the caller's to close, afterwards.
public final class LocalEngine implements Engine, Deliveries, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalEngine.class);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final Duration AHEAD = Duration.ofMillis(20);
    private static final Duration LATER = Duration.ofSeconds(1);

    private final EngineConfig config;
    private final EventStore store;
    private final Blueprints blueprints;
    private final InstantSource clock;
    private final LargeValues largeValues;
    private final ApprovalTokens approvalTokens;
    private final StoreWriter writer;
    private final DeskShell desk;
    private final StepRunner steps;
    private final FamilyRelay family;
    private final NoticeRelay notices;
    private final Retention retention;
    private final List<Partition> partitions;
    private final Tickets<CommandReply> tickets = new Tickets<>();
    private final FinalWaiters waiters = new FinalWaiters();
    private final List<JobObserver> observers = new CopyOnWriteArrayList<>();
    private final AtomicReference<Deliveries.Listener> listener =
            new AtomicReference<>(new Nobody());
    private final List<Held> heldBefore = new ArrayList<>();
    private final Semaphore submitting;
    private volatile @Nullable StallPatrol patrol;
    private final AtomicLong lastProbe = new AtomicLong();

    private LocalEngine(
            EngineConfig config,
            EventStore store,
            PayloadStore payloads,
            KeyValueStore dataStores,
            Blueprints blueprints,
            InstantSource clock) {
        this.config = config;
        this.store = store;
        this.blueprints = blueprints;
        this.clock = clock;
        largeValues = new LargeValues(payloads);
        submitting = new Semaphore(config.maxSubmitting());
        writer = new StoreWriter(store);
        approvalTokens = new ApprovalTokens(dataStores);
        steps =
                new StepRunner(
                        blueprints,
                        new StepCalls(
                                largeValues,
                                new StepView(largeValues, dataStores),
                                new ActionKeeping(largeValues, approvalTokens)),
                        clock,
                        config.maxHandlers(),
                        AHEAD,
                        this::command);
        desk =
                new DeskShell(
                        config.freshTerm(),
                        new SecureRandom(),
                        clock,
                        this::command,
                        reserved -> partitionOf(reserved.job()).put(reserved),
                        listener);
        notices = new NoticeRelay(clock, this::command);
        family = new FamilyRelay(blueprints, largeValues, clock, new Post(), notices::subscribed);
        var receivers =
                new Partition.Receivers(
                        desk::put,
                        steps,
                        family,
                        notices,
                        Definitions.of(blueprints::of),
                        this::happened);
        partitions =
                IntStream.range(0, config.partitions())
                        .mapToObj(i ->
                                new Partition(
                                        "artel-jobs-" + i,
                                        config.room() / config.partitions() + 1,
                                        store,
                                        writer,
                                        tickets,
                                        receivers))
                        .toList();
        retention = new Retention(store, clock, config.keepClosed());
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
        return start(config, store, payloads, new NoKeyValueStore(), blueprints, clock);
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
        var engine = new LocalEngine(config, store, payloads, dataStores, blueprints, clock);
        engine.recover();
        engine.family.open();
        engine.retention.start();
        return engine;
    }

    private void recover() {
        var began = System.nanoTime();
        var count = new long[1];
        store.readOpen(open -> {
            var state = (JobState) new JobState.Unsubmitted(open.id());
            for (var append : open.appends()) {
                state = Jobs.evolve(state, append.events()).after();
            }
            noteHeld(state);
            partitionOf(open.id()).recover(new JobsInput.Recovered(state));
            count[0]++;
        });
        if (count[0] > 0) {
            LOG.atInfo()
                    .addKeyValue("jobs", count[0])
                    .addKeyValue("millis", (System.nanoTime() - began) / 1_000_000)
                    .log("open jobs taken up");
        }
    }

    /// A worker has had a task since before the start.
    private record Held(JobId job, int task, WorkerId worker) {}

    private void noteHeld(JobState state) {
        if (state instanceof Job job && job.leased() > 0) {
            for (var task : job.tasks()) {
                if (task.state() instanceof Task.Open(Delivery.Leased leased, int _, var _)) {
                    heldBefore.add(new Held(job.id(), task.id(), leased.lease().worker()));
                }
            }
        }
    }

    /// Who is told of hand-outs and revocations from now on, and at once of the leases that live; one at a time.
    public void listenedToBy(Deliveries.Listener who) {
        listener.set(who);
        desk.put(new DeskInput.Listened());
    }

    /// Who tells others outside what becomes of jobs, from now on.
    public void notifiedBy(Notifier notifier) {
        notices.connect(notifier);
    }

    /// Looks for jobs that are stuck, from now on.
    public void watchStalls(StallSettings settings) {
        var holders =
                new StallPatrol.Holders(
                        this::partitionOf, desk, steps, family, notices, writer::isFull);
        var made = new StallPatrol(settings, store, holders, clock);
        patrol = made;
        made.start();
    }

    /// The jobs that are stuck, as far as is known; none without [#watchStalls].
    public List<Stall> stalls() {
        var watching = patrol;
        return watching == null ? List.of() : watching.stalls();
    }

    /// Adds an observer.
    public void observedBy(JobObserver observer) {
        heldBefore.forEach(held -> observer.heldBefore(held.job(), held.task(), held.worker()));
        observers.add(observer);
    }

    /// The definitions.
    public Blueprints blueprints() {
        return blueprints;
    }

    /// How many appends were made durable since the start, and by how many commits.
    public Counts counts() {
        return new Counts(writer.appends(), writer.commits());
    }

    /// See [#counts].
    public record Counts(long appends, long commits) {}

    /// Whose slots are taken at this moment, and by which leases; empty if the engine is too busy to say.
    public Optional<DeskView> look() {
        return desk.look(config.answerLimit());
    }

    /// How many tasks wait for a worker at this moment.
    public int queuedTasks() {
        return desk.queued();
    }

    /// Whether the store has no room at this moment.
    public boolean isFull() {
        return writer.isFull();
    }

    // Engine

    @Override
    public SubmitReply submit(Submission submission) {
        var blueprint = blueprints.wanted(submission.blueprint(), submission.version());
        if (blueprint.isEmpty()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.UNKNOWN_BLUEPRINT,
                    blueprints.missing(submission.blueprint(), submission.version()));
        }
        var mismatches = blueprints.mismatches(submission);
        if (!mismatches.isEmpty()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    mismatches.stream().map(Mismatch::toString).collect(Collectors.joining("; ")));
        }
        if (!submission.options().webhooks().isEmpty() && !notices.isConnected()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    "the job names a webhook, and nobody here calls any; connect a notifier to"
                            + " the engine");
        }
        if (isFullAndProbed()) {
            return new SubmitReply.TryLater(
                    LATER,
                    "the store has no room; free some on its disk, new jobs are taken again by themselves");
        }
        if (!submitting.tryAcquire()) {
            return new SubmitReply.TryLater(
                    LATER,
                    "more than " + config.maxSubmitting() + " submissions wait; send it again");
        }
        try {
            return submit(submission, blueprint.get());
        } finally {
            submitting.release();
        }
    }

    /// While the store is full one submission a second finds out whether it still is.
    private boolean isFullAndProbed() {
        if (!writer.isFull()) {
            return false;
        }
        var now = System.nanoTime();
        var last = lastProbe.get();
        return now - last < LATER.toNanos() || !lastProbe.compareAndSet(last, now);
    }

    private SubmitReply submit(Submission submission, Blueprint blueprint) {
        var now = now();
        var key = submission.idempotencyKey();
        var job =
                key.map(text -> JobIds.keyed(submission.client(), text))
                        .orElseGet(() -> JobIds.fresh(now, ThreadLocalRandom.current()));
        var given = submission.options();
        var options =
                key.isEmpty()
                        ? given
                        : given.withRequestDigest(
                                Optional.of(
                                        given.requestDigest()
                                                .orElseGet(() -> JobIds.digest(submission))));
        var data =
                submission.initialData() instanceof JsonObject object
                        ? object
                        : JsonObject.of("data", submission.initialData());
        var command =
                new JobCommand.Submit(
                        new JobSpec(
                                        blueprint.ref(),
                                        blueprint.start().name(),
                                        submission.client(),
                                        largeValues.keep(JobData.of(data)),
                                        notices.subscribed(options, blueprint.name()),
                                        JobSpec.CURRENT_RULES,
                                        submission.terms())
                                .withGuards(blueprint.guards()),
                        now);
        var reply =
                ask(
                        job,
                        ticket ->
                                key.isEmpty()
                                        ? new JobsInput.Begun(job, command, ticket)
                                        : new JobsInput.Given(job, command, ticket));
        return submitted(job, reply);
    }

    @Override
    public CommandReply cancel(JobId job, String reason) {
        return ask(
                job,
                ticket -> new JobsInput.Given(job, new JobCommand.Cancel(reason, now()), ticket));
    }

    @Override
    public CommandReply signal(
            JobId job, String signal, String id, JsonValue payload, String sender) {
        var kept = largeValues.keep(Payload.of(payload));
        var command = new JobCommand.Signal(signal, id, kept, sender, now());
        var reply = ask(job, ticket -> new JobsInput.Given(job, command, ticket));
        var watching = patrol;
        if (watching != null && reply instanceof CommandReply.Done) {
            watching.acknowledged(job, id);
        }
        return reply;
    }

    @Override
    public CommandReply decide(JobId job, Approver by, String choice, Optional<String> comment) {
        var command = new JobCommand.DecideApproval(by, choice, comment, now());
        return ask(job, ticket -> new JobsInput.Given(job, command, ticket));
    }

    @Override
    public CommandReply resolve(JobId job, int task, Resolution resolution, String by) {
        var command = new JobCommand.ResolveTask(task, largeValues.keep(resolution), by, now());
        return ask(job, ticket -> new JobsInput.Given(job, command, ticket));
    }

    @Override
    public CommandReply mend(JobId job, Mending how, String by) {
        var command = new JobCommand.Mend(largeValues.keep(how), by, now());
        return ask(job, ticket -> new JobsInput.Given(job, command, ticket));
    }

    @Override
    public CommandReply rewind(JobId job, String state, JobData changes, String by) {
        var events =
                store.read(StreamId.of(job), 0).stream()
                        .flatMap(append -> append.events().stream())
                        .toList();
        var visit = Visit.last(job, events, state);
        if (visit.isEmpty() && !events.isEmpty()) {
            return new CommandReply.Refused(
                    Decision.Reason.NOT_AWAITED,
                    "job "
                            + job
                            + " cannot be rewound: it was never in state '"
                            + state
                            + "', but in "
                            + Visit.states(events));
        }
        var to =
                visit.map(seen ->
                                new Visit(
                                        state,
                                        seen.data().merge(largeValues.keep(changes)),
                                        seen.tasks(),
                                        seen.done()))
                        .orElse(new Visit(state, changes, 0, 0));
        var command = new JobCommand.Rewind(to, by, now());
        return ask(job, ticket -> new JobsInput.Given(job, command, ticket));
    }

    @Override
    public SubmitReply fork(
            JobId other, String state, JobData changes, String client, Optional<String> key) {
        var events =
                store.read(StreamId.of(other), 0).stream()
                        .flatMap(append -> append.events().stream())
                        .toList();
        var visit = Visit.last(other, events, state);
        if (visit.isEmpty()
                || !(Jobs.evolve(new JobState.Unsubmitted(other), events).after()
                        instanceof Job origin)) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    "job "
                            + other
                            + " cannot be forked: it was never in state '"
                            + state
                            + "', but in "
                            + Visit.states(events));
        }
        var ref = origin.spec().blueprint();
        var blueprint = blueprints.of(ref).filter(known -> known.state(state).isPresent());
        if (blueprint.isEmpty()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.UNKNOWN_BLUEPRINT,
                    "job "
                            + other
                            + " cannot be forked in state '"
                            + state
                            + "' of version "
                            + ref.version()
                            + " of blueprint '"
                            + ref.name()
                            + "', which is not registered any more; register it");
        }
        var command =
                new JobCommand.Fork(
                        subscribed(
                                forkedSpec(
                                        origin.spec(),
                                        blueprint.get(),
                                        visit.get(),
                                        changes,
                                        client,
                                        key)),
                        other,
                        visit.get().data().merge(largeValues.keep(changes)),
                        Recorded.of(origin),
                        "client " + client,
                        now());
        var job =
                key.map(text -> JobIds.keyed(client, text))
                        .orElseGet(() -> JobIds.fresh(command.at(), ThreadLocalRandom.current()));
        return submitted(job, ask(job, ticket -> new JobsInput.Given(job, command, ticket)));
    }

    private JobSpec subscribed(JobSpec spec) {
        return spec.withOptions(notices.subscribed(spec.options(), spec.blueprint().name()));
    }

    /// Its deadline is not that of the other job, which may be over.
    private static JobSpec forkedSpec(
            JobSpec of,
            Blueprint blueprint,
            Visit visit,
            JobData changes,
            String client,
            Optional<String> key) {
        var options = of.options();
        return new JobSpec(
                        blueprint.ref(),
                        visit.state(),
                        client,
                        of.initialData(),
                        new JobOptions(
                                options.priority(),
                                Optional.empty(),
                                options.labels(),
                                key.map(_ -> JobIds.digest(visit + " with " + changes)),
                                options.cancelGrace()),
                        JobSpec.CURRENT_RULES,
                        of.terms())
                .withGuards(blueprint.guards());
    }

    private static SubmitReply submitted(JobId job, CommandReply reply) {
        return switch (reply) {
            case CommandReply.Done(boolean changed) -> new SubmitReply.Accepted(job, changed);
            case CommandReply.Refused(var _, var detail) ->
                    new SubmitReply.Refused(SubmitReply.Why.KEY_REUSED, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    new SubmitReply.TryLater(after, detail);
        };
    }

    /// The token with which anybody may decide about `approval`; empty if it has none, or was asked for under a key that
    /// is gone.
    public Optional<String> approvalToken(JobId job, Approval approval) {
        var token = approvalTokens.token(job, approval.step());
        return approval.tokenDigest().filter(ApprovalTokens.digest(token)::equals).map(_ -> token);
    }

    @Override
    public Optional<Job> find(JobId job) {
        var state = (JobState) new JobState.Unsubmitted(job);
        for (var append : store.read(StreamId.of(job), 0)) {
            state = Jobs.evolve(state, append.events()).after();
        }
        return state instanceof Job found ? Optional.of(found) : Optional.empty();
    }

    @Override
    public Optional<Job> awaitFinal(JobId job, Duration timeout) {
        var place = waiters.await(job);
        try {
            var row = store.find(job);
            if (row.isEmpty() || isFinal(row.get())) {
                return find(job);
            }
            return Optional.of(place.end().get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | CancellationException notYet) {
            return find(job);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return find(job);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("the end of a job is never an exception", impossible);
        } finally {
            waiters.forget(place);
        }
    }

    /// Waits for the end of a job without reading its events.
    ///
    /// @return whether it has ended, or is not there; false after `timeout`, or when nobody is to wait any more
    public boolean awaitEnd(JobId job, Duration timeout) {
        var place = waiters.await(job);
        try {
            var row = store.find(job);
            if (row.isPresent() && !isFinal(row.get())) {
                place.end().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (TimeoutException | CancellationException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("the end of a job is never an exception", impossible);
        } finally {
            waiters.forget(place);
        }
    }

    /// How many runs of handlers took longer than they might, since the start.
    public long overranHandlers() {
        return steps.overran();
    }

    /// How many handlers go on although their time is over and they were interrupted.
    public int abandonedHandlers() {
        return steps.abandoned();
    }

    /// Answers whoever waits for the end of a job, now and from now on: the process is about to stop.
    public void stopWaiting() {
        waiters.stop();
    }

    private static boolean isFinal(JobRow row) {
        return switch (row.status()) {
            case "finished", "failed", "cancelled" -> true;
            default -> false;
        };
    }

    @Override
    public Optional<WaitReason> whyNotYet(JobId job, int task) {
        return desk.whyNotYet(job, task, config.answerLimit());
    }

    @Override
    public List<Verdict> verdicts(JobId job, int task, Optional<WorkerId> only, int limit) {
        return desk.verdicts(job, task, only, limit, config.answerLimit());
    }

    // Deliveries

    @Override
    public void limited(WorkerId worker, Instant until) {
        desk.put(new DeskInput.Limited(worker, until));
    }

    @Override
    public void joined(WorkerProfile profile) {
        desk.put(new DeskInput.Joined(profile));
    }

    @Override
    public void left(WorkerId worker, LeaseEnding reason) {
        desk.put(new DeskInput.Left(worker, reason));
    }

    @Override
    public void ask(long ask, WorkerId worker, int max) {
        desk.put(new DeskInput.Asked(ask, worker, max));
    }

    @Override
    public void withdraw(long ask) {
        desk.put(new DeskInput.Withdrawn(ask));
    }

    @Override
    public void renew(WorkerId worker, List<LeaseToken> unconfirmed, Duration term) {
        desk.put(new DeskInput.Renewed(worker, unconfirmed, term));
    }

    @Override
    public RenewReply renewOnly(WorkerId worker, List<LeaseToken> tokens, Duration term) {
        return desk.renewOnly(
                        new DeskInput.RenewedOnly(0, worker, tokens, term), config.answerLimit())
                .<RenewReply>map(RenewReply.Renewed::new)
                .orElseGet(() ->
                        new RenewReply.TryLater(
                                LATER,
                                "renewing "
                                        + tokens.size()
                                        + " leases of worker "
                                        + worker
                                        + ": no answer within "
                                        + config.answerLimit()
                                        + "; send it again"));
    }

    @Override
    public void end(LeaseToken token, LeaseEnding reason) {
        desk.put(new DeskInput.Ended(token, reason));
    }

    @Override
    public CommandReply report(WorkerId worker, LeaseToken token, TaskReport report) {
        var address = token.address();
        if (address.isEmpty()) {
            return new CommandReply.Refused(
                    Decision.Reason.UNKNOWN_JOB,
                    "task " + token + " was not handed out by this orchestrator");
        }
        var job = address.get().job();
        var command =
                new JobCommand.Report(
                        address.get().task(),
                        token,
                        worker,
                        largeValues.keep(report),
                        ThreadLocalRandom.current().nextDouble(),
                        now());
        return ask(job, ticket -> new JobsInput.Given(job, command, ticket));
    }

    // The shell

    private CommandReply ask(JobId job, LongFunction<JobsInput> question) {
        return tickets.ask(
                ticket -> partitionOf(job).put(question.apply(ticket)),
                config.answerLimit(),
                noAnswer(job));
    }

    private CommandReply.TryLater noAnswer(JobId job) {
        return new CommandReply.TryLater(
                LATER,
                "job "
                        + job
                        + " did not answer within "
                        + config.answerLimit()
                        + "; the command may still be done, send it again");
    }

    /// Between jobs.
    private final class Post implements FamilyRelay.Post {
        @Override
        public void send(JobId job, JobCommand command) {
            command(job, command);
        }

        @Override
        public void ask(JobId job, JobCommand command, Consumer<CommandReply> told) {
            tickets.ask(
                    ticket -> partitionOf(job).put(new JobsInput.Given(job, command, ticket)),
                    config.answerLimit(),
                    noAnswer(job),
                    told);
        }
    }

    private void command(JobId job, JobCommand command) {
        partitionOf(job).put(new JobsInput.Given(job, command, JobsInput.Given.NOBODY));
    }

    private void happened(JobsOutput.Happened happened) {
        if (happened.job().isFinal()) {
            waiters.ended(happened.job());
        }
        for (var observer : observers) {
            observer.happened(happened.job(), happened.events());
        }
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
        var watching = patrol;
        if (watching != null) {
            watching.close();
        }
        desk.close();
        family.close();
        try {
            steps.drain(DRAIN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        writer.close();
    }

    /// Listens until somebody does: nobody asks for tasks meanwhile.
    private static final class Nobody implements Deliveries.Listener {
        @Override
        public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
            LOG.atWarn()
                    .addKeyValue("worker", worker)
                    .log("tasks were handed out and nobody listens");
        }

        @Override
        public void held(HandOut task) {}

        @Override
        public void revoke(WorkerId worker, LeaseToken token) {}

        @Override
        public void lost(WorkerId worker, LeaseToken token) {}
    }
}
