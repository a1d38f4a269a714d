package dev.artel.testkit.sim;

import dev.artel.engine.core.DeskCore;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.DeskOutput;
import dev.artel.engine.core.JobsCore;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Guards;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Renew;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionCore;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.session.SessionReply;
import dev.artel.session.SessionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One life of an orchestrator's process: the second shell around the cores, without threads. Ends with [#crash];
/// the next life begins from what is durable.
final class Orchestrator {
    private static final long ANSWER_LIMIT = 30_000;
    private static final long SESSION_TICK = 2_000;
    private static final Duration LATER = Duration.ofSeconds(1);
    private static final Duration FRESH_TERM = Duration.ofSeconds(30);
    private static final SessionSettings SETTINGS =
            new SessionSettings(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    SessionSettings.Limits.DEFAULTS);

    private final World world;
    private final SimulatedStore store;
    private final Ledger ledger;
    private final Audit audit;
    private final Patrol patrol;
    private final Sabotage sabotage;
    private final Map<String, Blueprint> blueprints;
    private final Handling handling;
    private final Runnable crashed;
    private final JobsCore jobs;
    private final DeskCore desk;
    private final SessionCore session = new SessionCore(SETTINGS);
    private final Steps steps;
    private final Errands errands;
    private final Callings callings;
    private final Inbox<JobsInput> jobsInbox;
    private final Inbox<DeskInput> deskInbox;
    private final Inbox<SessionInput> sessionInbox;
    private final Map<Long, Consumer<CommandReply>> tickets = new HashMap<>();
    private final Map<Long, Consumer<@Nullable SessionReply>> requests = new HashMap<>();
    private final Map<JobId, Append> lastAppends = new HashMap<>();
    private long lastTicket;
    private long lastRequest;
    private long nextTick = Long.MAX_VALUE;
    private long actsLeft;
    private boolean alive = true;

    Orchestrator(Site site, Runnable crashed) {
        world = site.world();
        store = site.store();
        ledger = site.ledger();
        blueprints = site.blueprints();
        handling = site.handling();
        this.crashed = crashed;
        sabotage = new Sabotage(world, ledger);
        jobs = new JobsCore(world.has(Trait.SMALL_ROOM) ? 1 : 100_000, site.definitions());
        desk = new DeskCore(FRESH_TERM, world.random().split());
        steps = new Steps(world, ledger, blueprints, handling, this::command);
        errands = new Errands(world, ledger, blueprints, handling, this);
        callings = new Callings(world, ledger, this);
        audit = new Audit(world, ledger, desk, steps, errands, callings);
        patrol = new Patrol(world, ledger, jobs, desk, this, audit::holds);
        jobsInbox = new Inbox<>(world, () -> alive, this::take);
        deskInbox = new Inbox<>(world, () -> alive, this::take);
        sessionInbox = new Inbox<>(world, () -> alive, this::take);
        actsLeft = world.has(Trait.ORCHESTRATOR_CRASHES) ? 1L << world.between(2, 12) : -1;
    }

    void start() {
        for (var job : ledger.open()) {
            put(new JobsInput.Recovered(recover(job)));
        }
        tickSession();
        patrol.start();
    }

    private JobState recover(JobId job) {
        while (true) {
            try {
                return store.read(job);
            } catch (StoreException again) {
                world.note("start", again);
            }
        }
    }

    private void tickSession() {
        later(
                SESSION_TICK,
                () -> {
                    sessionInbox.put(new SessionInput.Tick());
                    tickSession();
                });
    }

    boolean isAlive() {
        return alive;
    }

    Audit audit() {
        return audit;
    }

    // Crashing

    /// The process dies: everything but the store is gone.
    void crash() {
        if (!alive) {
            return;
        }
        world.note("orchestrator", "crashes");
        alive = false;
        store.crash();
        var broken = new ArrayList<>(requests.values());
        requests.clear();
        tickets.clear();
        broken.forEach(request -> request.accept(null));
        crashed.run();
    }

    /// Every act of the shell is a point at which it may die.
    private boolean diesNow() {
        if (alive && !world.isCalm() && actsLeft > 0 && --actsLeft == 0) {
            crash();
        }
        return !alive;
    }

    // Mailboxes

    private void put(JobsInput input) {
        audit.begin(input.job());
        jobsInbox.put(input);
    }

    private void put(DeskInput input) {
        Audit.jobOf(input).ifPresent(audit::begin);
        deskInbox.put(input);
    }

    private void take(JobsInput input) {
        world.note("jobs", input);
        var outputs = new ArrayList<JobsOutput>();
        jobs.on(input, outputs::add);
        for (var output : outputs) {
            if (diesNow()) {
                return;
            }
            perform(output, input instanceof JobsInput.Recovered);
        }
        audit.end(input.job());
    }

    private void take(DeskInput input) {
        if (!(input instanceof DeskInput.Renewed)) {
            world.note("desk", input);
        }
        var outputs = new ArrayList<DeskOutput>();
        desk.on(input, world.now(), outputs::add);
        for (var output : outputs) {
            if (diesNow()) {
                return;
            }
            perform(output);
        }
        Audit.jobOf(input).ifPresent(audit::end);
        scheduleTick();
    }

    private void take(SessionInput input) {
        if (!isRoutine(input)) {
            world.note("session", input);
        }
        for (var output : session.on(input, world.steadyNow())) {
            if (diesNow()) {
                return;
            }
            perform(output);
        }
    }

    private static boolean isRoutine(SessionInput input) {
        return switch (input) {
            case SessionInput.Tick _ -> true;
            case SessionInput.Said(long _, var _, var message) ->
                    message instanceof Heartbeat || message instanceof Renew;
            case SessionInput _ -> false;
        };
    }

    /// The clock has jumped: what was not due may be now, and the other way round.
    void scheduleTick() {
        var wake = desk.nextWake();
        if (wake.isEmpty() || !alive) {
            return;
        }
        var at = Math.max(world.loop().now() + 1, world.whenClockShows(wake.get()));
        if (at < nextTick) {
            nextTick = at;
            world.loop()
                    .at(
                            at,
                            () -> {
                                if (alive && nextTick == at) {
                                    nextTick = Long.MAX_VALUE;
                                    put(new DeskInput.Tick());
                                }
                            });
        }
    }

    // What the cores want done

    private void perform(JobsOutput output, boolean recovering) {
        switch (output) {
            case JobsOutput.Load(var job) -> {
                audit.begin(job);
                later(world.between(0, 5), () -> load(job));
            }
            case JobsOutput.Reserve(var job, var offers) -> put(new DeskInput.Reserve(job, offers));
            case JobsOutput.RunAhead(var job, var step) -> {
                audit.begin(job.id());
                steps.startAhead(job, step, outcome -> ranAhead(job.id(), outcome));
            }
            case JobsOutput.Write(var job, var append) -> write(job, append);
            case JobsOutput.Answer(long ticket, var reply) -> answer(ticket, reply);
            case JobsOutput.Effects(var job, var asked, var ended) -> {
                var left = sabotage.asked(job, asked, ended, recovering);
                run(job, left);
                errands.withdraw(job.id(), ended);
                errands.perform(job, left);
                callings.perform(job.id(), left);
                var held = standing(left);
                var released = standing(sabotage.ended(ended));
                if (!held.isEmpty() || !released.isEmpty()) {
                    put(new DeskInput.Effects(job.id(), held, released));
                }
            }
            case JobsOutput.AllPending(var state, var pending) -> {
                if (!world.has(Mutant.PENDING_NOT_REPEATED)) {
                    if (state instanceof Job job) {
                        run(job, pending);
                        errands.perform(job, pending);
                        callings.perform(job.id(), pending);
                    }
                    put(new DeskInput.AllPending(state.id(), standing(pending)));
                }
            }
            case JobsOutput.Happened(var job, var _) -> ledger.committed(job);
            case JobsOutput.Seen _ -> {}
            case JobsOutput.GrantLapsed(var token) -> put(new DeskInput.GrantLapsed(token));
        }
    }

    private void ranAhead(JobId job, Optional<JobCommand> outcome) {
        if (alive) {
            put(new JobsInput.RanAhead(job, outcome));
            audit.end(job);
        }
    }

    private void write(JobId job, Append append) {
        audit.begin(job);
        lastAppends.put(job, append);
        if (world.has(Mutant.ANSWER_BEFORE_DURABLE) && append.expected() == 0) {
            tickets.keySet().stream()
                    .toList()
                    .forEach(ticket -> {
                        if (ticket.equals(lastTicket)) {
                            answer(ticket, new CommandReply.Done(true));
                        }
                    });
        }
        store.write(
                job,
                append,
                trouble -> {
                    if (!alive) {
                        return;
                    }
                    put(
                            trouble.isEmpty() || world.has(Mutant.FAILURE_TAKEN_FOR_SUCCESS)
                                    ? new JobsInput.Committed(job)
                                    : new JobsInput.AppendFailed(job, trouble.get()));
                    audit.end(job);
                });
        if (world.has(Mutant.STEP_BEFORE_COMMIT)) {
            var before =
                    ledger.fold(job)
                            .<JobState>map(fold -> fold)
                            .orElse(new JobState.Unsubmitted(job));
            var evolution = dev.artel.kernel.job.Jobs.evolve(before, append.events());
            if (evolution.after() instanceof Job after && before.version() == append.expected()) {
                run(after, evolution.asked());
            }
        }
        if (world.has(Mutant.WEBHOOK_BEFORE_DURABLE)) {
            ledger.fold(job)
                    .filter(before -> before.version() == append.expected())
                    .ifPresent(before ->
                            callings.perform(
                                    job,
                                    dev.artel.kernel.job.Jobs.evolve(before, append.events())
                                            .asked()));
        }
        if (world.has(Mutant.PARENT_TOLD_BEFORE_DURABLE)) {
            ledger.fold(job)
                    .filter(before -> before.version() == append.expected())
                    .ifPresent(before -> {
                        var evolution = dev.artel.kernel.job.Jobs.evolve(before, append.events());
                        errands.perform((Job) evolution.after(), evolution.asked());
                    });
        }
    }

    private void run(Job job, List<Effect> effects) {
        for (var effect : effects) {
            if (effect instanceof Effect.RunStep step) {
                ledger.starts(job, step);
                steps.start(job, step);
                sabotage.outcomeAgain(job, step).ifPresent(again -> command(job.id(), again));
            }
        }
    }

    private void load(JobId job) {
        try {
            put(new JobsInput.Loaded(store.read(job)));
        } catch (StoreException unreadable) {
            audit.begin(job);
            later(
                    500,
                    () -> {
                        put(new JobsInput.LoadFailed(job, String.valueOf(unreadable.getMessage())));
                        audit.end(job);
                    });
        }
        audit.end(job);
    }

    private static List<Effect> standing(List<Effect> effects) {
        return effects.stream()
                .filter(effect ->
                        switch (effect) {
                            case Effect.RunStep _,
                                    Effect.BetweenJobs _,
                                    Effect.CallWebhook _,
                                    Effect.Outside _ ->
                                    false;
                            case Effect.Offer _,
                                    Effect.HoldLease _,
                                    Effect.Revoke _,
                                    Effect.WakeAt _ ->
                                    true;
                        })
                .toList();
    }

    private void perform(DeskOutput output) {
        switch (output) {
            case DeskOutput.Command(var job, var command) -> {
                if (world.has(Mutant.ALARMS_UNHEARD)
                        && command instanceof JobCommand.FireAlarm
                        && world.chance(0.3)) {
                    return;
                }
                command(job, command);
                sabotage.handOut(command).ifPresent(this::perform);
            }
            case DeskOutput.Reserved(var job, var grants) ->
                    put(new JobsInput.Reserved(job, grants));
            case DeskOutput.HandOuts(long ask, var worker, var tasks) -> {
                tasks.forEach(task -> ledger.handsOut(task.lease().token()));
                sessionInbox.put(new SessionInput.HandedOut(ask, worker, tasks));
            }
            case DeskOutput.Held(var task) -> sessionInbox.put(new SessionInput.Held(task));
            case DeskOutput.Revoked(var worker, var token) ->
                    sessionInbox.put(new SessionInput.Revoked(worker, token));
            case DeskOutput.Lost(var worker, var token) ->
                    sessionInbox.put(new SessionInput.LeaseLost(worker, token));
            case DeskOutput.NotHeld(long ticket, var tokens) -> {
                if (ticket != 0) {
                    sessionInbox.put(
                            new SessionInput.Renewed(ticket, new RenewReply.Renewed(tokens)));
                }
            }
            case DeskOutput.Why _,
                    DeskOutput.Judged _,
                    DeskOutput.Missing _,
                    DeskOutput.Seen _ -> {}
        }
    }

    private void perform(SessionOutput output) {
        switch (output) {
            case SessionOutput.Reply(long request, var reply) -> {
                var waiting = requests.remove(request);
                if (waiting == null) {
                    throw world.failure("request " + request + " is answered twice: " + reply);
                }
                waiting.accept(reply);
            }
            case SessionOutput.Joined(var profile) -> put(new DeskInput.Joined(profile));
            case SessionOutput.Left(var worker, var reason) ->
                    put(new DeskInput.Left(worker, reason));
            case SessionOutput.Ask(long ask, var worker, int max) ->
                    put(new DeskInput.Asked(ask, worker, max));
            case SessionOutput.Withdraw(long ask) -> put(new DeskInput.Withdrawn(ask));
            case SessionOutput.Renew(var worker, var unconfirmed, var term) ->
                    put(new DeskInput.Renewed(worker, unconfirmed, term));
            case SessionOutput.RenewOnly(long request, var worker, var tokens, var term) ->
                    put(new DeskInput.RenewedOnly(request, worker, tokens, term));
            case SessionOutput.SetTerm(var worker, var tokens, var term) ->
                    put(new DeskInput.RenewedOnly(0, worker, tokens, term));
            case SessionOutput.End(var token, var reason) ->
                    put(new DeskInput.Ended(token, reason));
            case SessionOutput.Report report -> report(report);
            case SessionOutput.Push _,
                    SessionOutput.CloseSocket _,
                    SessionOutput.Progressed _,
                    SessionOutput.Logged _ -> {}
        }
    }

    // Commands

    void command(JobId job, JobCommand command) {
        ask(job, command, JobsInput.Given.NOBODY);
    }

    /// Gives a command and tells its answer, or that there was none in time.
    void ask(JobId job, JobCommand command, Consumer<CommandReply> told) {
        ask(job, command, ticket(told));
    }

    /// After some time, unless the process has died.
    void later(long millis, Runnable act) {
        world.loop()
                .after(
                        millis,
                        () -> {
                            if (alive) {
                                act.run();
                            }
                        });
    }

    private void ask(JobId job, JobCommand command, long ticket) {
        var decoded = store.copying().command(command);
        if (!decoded.equals(command)) {
            throw world.failure("the codec made " + decoded + " of " + command);
        }
        var known = ledger.fold(job);
        put(
                new JobsInput.Given(
                        job,
                        known.map(fold -> sabotage.command(fold, decoded)).orElse(decoded),
                        ticket));
        sabotage.remember(job, command);
    }

    private long ticket(Consumer<CommandReply> told) {
        var ticket = ++lastTicket;
        tickets.put(ticket, told);
        later(
                ANSWER_LIMIT,
                () ->
                        answer(
                                ticket,
                                new CommandReply.TryLater(LATER, "there was no answer in time")));
        return ticket;
    }

    private void answer(long ticket, CommandReply reply) {
        var waiting = tickets.remove(ticket);
        if (waiting != null) {
            waiting.accept(reply);
        }
    }

    private void report(SessionOutput.Report report) {
        var address = report.token().address();
        if (address.isEmpty()) {
            sessionInbox.put(
                    new SessionInput.Reported(
                            report.request(),
                            report.index(),
                            new CommandReply.Refused(Decision.Reason.UNKNOWN_JOB, "not ours")));
            return;
        }
        var command =
                new JobCommand.Report(
                        address.get().task(),
                        report.token(),
                        report.worker(),
                        handling.keep(report.report()),
                        world.random().nextDouble(),
                        world.now());
        var last = lastAppends.get(address.get().job());
        if (last != null) {
            var again = sabotage.again(command, last);
            if (!again.isEmpty()) {
                store.force(address.get().job(), again, last);
            }
        }
        var ticket =
                ticket(reply -> {
                    ledger.acknowledged().answered(report.token(), reply);
                    sessionInbox.put(
                            new SessionInput.Reported(report.request(), report.index(), reply));
                });
        ask(address.get().job(), command, ticket);
    }

    // What clients ask for

    void submit(Submission submission, Consumer<SubmitReply> answer) {
        var key = submission.idempotencyKey();
        if (store.wasFull()) {
            answer.accept(new SubmitReply.TryLater(LATER, "the store has no room"));
            return;
        }
        var fresh = key.isEmpty() || world.has(Mutant.KEY_IGNORED);
        var job = new JobId(fresh ? "job-" + ledger.freshNumber() : "key-" + key.get());
        var given = submission.options();
        var digest =
                Integer.toHexString((submission.blueprint() + submission.initialData()).hashCode());
        var options =
                given.withRequestDigest(key.isEmpty() ? Optional.empty() : Optional.of(digest));
        var blueprint = blueprints.get(submission.blueprint());
        if (blueprint == null) {
            answer.accept(
                    new SubmitReply.Refused(
                            SubmitReply.Why.UNKNOWN_BLUEPRINT, "no such blueprint"));
            return;
        }
        var command =
                new JobCommand.Submit(
                        new JobSpec(
                                        blueprint.ref(),
                                        blueprint.start().name(),
                                        submission.client(),
                                        kept((JsonObject) submission.initialData()),
                                        options,
                                        JobSpec.CURRENT_RULES,
                                        submission.terms())
                                .withGuards(
                                        world.has(Mutant.GUARDS_FORGOTTEN)
                                                ? Guards.DEFAULTS
                                                : blueprint.guards()),
                        world.now());
        var ticket =
                ticket(reply -> {
                    if (reply instanceof CommandReply.Done) {
                        ledger.acknowledged().submitted(job);
                    }
                    answer.accept(replyOf(job, reply));
                });
        put(
                fresh
                        ? new JobsInput.Begun(job, command, ticket)
                        : new JobsInput.Given(job, command, ticket));
    }

    private JobData kept(JsonObject data) {
        var kept = new LinkedHashMap<String, Payload>();
        JobData.of(data).values().forEach((name, value) -> kept.put(name, handling.keep(value)));
        return new JobData(kept);
    }

    private static SubmitReply replyOf(JobId job, CommandReply reply) {
        return switch (reply) {
            case CommandReply.Done(boolean changed) -> new SubmitReply.Accepted(job, changed);
            case CommandReply.Refused(var _, var detail) ->
                    new SubmitReply.Refused(SubmitReply.Why.KEY_REUSED, detail);
            case CommandReply.TryLater(var after, var detail) ->
                    new SubmitReply.TryLater(after, detail);
        };
    }

    void cancel(JobId job, Consumer<CommandReply> answer) {
        var command = new JobCommand.Cancel("not wanted", world.now());
        ask(job, command, ticket(answer));
    }

    void signal(JobId job, JobCommand.Signal signal, Consumer<CommandReply> answer) {
        Consumer<CommandReply> told =
                reply -> {
                    if (reply instanceof CommandReply.Done) {
                        patrol.acknowledged(job, signal.id());
                    }
                    answer.accept(reply);
                };
        if (sabotage.forgets(job, signal)) {
            told.accept(new CommandReply.Done(true));
        } else {
            ask(job, signal, ticket(told));
        }
    }

    void decide(JobId job, JobCommand.DecideApproval decision, Consumer<CommandReply> answer) {
        ask(job, decision, ticket(answer));
    }

    void resolve(JobId job, JobCommand.ResolveTask verdict, Consumer<CommandReply> answer) {
        ask(job, verdict, ticket(answer));
    }

    void mend(JobId job, JobCommand.Mend mend, Consumer<CommandReply> answer) {
        ask(job, mend, ticket(answer));
    }

    void rewind(JobId job, JobCommand.Rewind rewind, Consumer<CommandReply> answer) {
        ask(job, rewind, ticket(answer));
    }

    void fork(JobId job, JobCommand.Fork fork, Consumer<CommandReply> answer) {
        ask(job, sabotage.fork(fork), ticket(answer));
    }

    // What workers say

    /// Takes in what a worker says.
    ///
    /// @param answer is told the reply, or null if the connection breaks
    /// @return the number of the request
    long said(WorkerId worker, WorkerMessage message, Consumer<@Nullable SessionReply> answer) {
        var request = ++lastRequest;
        requests.put(request, answer);
        sessionInbox.put(new SessionInput.Said(request, worker, message));
        return request;
    }

    void written(long request) {
        sessionInbox.put(new SessionInput.TasksWritten(request));
    }

    void notWritten(long request) {
        sessionInbox.put(new SessionInput.TasksNotWritten(request));
    }

    void abandoned(long request) {
        if (requests.containsKey(request)) {
            sessionInbox.put(new SessionInput.RequestAbandoned(request));
        }
    }
}
