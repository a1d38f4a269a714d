package dev.artel.testkit.sim;

import dev.artel.engine.core.Definitions;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Approvals;
import dev.artel.kernel.job.Approver;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Recorded;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.StepCause;
import dev.artel.kernel.job.Strand;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.job.Visit;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.task.Payload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/// What is durable, and what the world has seen: the judge of everything that becomes durable.
final class Ledger {
    private final World world;
    private final Definitions definitions;
    private final SequencedMap<JobId, Account> accounts = new LinkedHashMap<>();
    private final Set<JobId> open = new HashSet<>();
    private final Set<LeaseToken> granted = new HashSet<>();
    private final Map<LeaseToken, WorkerId> reported = new HashMap<>();
    private final Map<Payload, JobId> named = new HashMap<>();
    private final Set<Run> runs = new HashSet<>();
    private final Set<Sent> sent = new HashSet<>();
    private final Set<LeaseToken> begun = new HashSet<>();
    private final Set<Question> decided = new HashSet<>();
    private final Families families;
    private final Undoings undoings;
    private final Limits limits;
    private final Hedges hedges;
    private final Hearsay hearsay;
    private long events;
    private long freshNumber;

    /// @param definitions knows the states in which nothing is run
    /// @param blueprints the definitions themselves
    Ledger(
            World world,
            Definitions definitions,
            Function<BlueprintRef, Optional<Blueprint>> blueprints) {
        this.world = world;
        limits = new Limits(world, blueprints);
        hedges = new Hedges(world);
        this.definitions = definitions;
        families = new Families(world, this::fold);
        undoings = new Undoings(world);
        hearsay = new Hearsay(world);
    }

    private record Run(JobId job, EffectId step) {}

    private record Sent(JobId job, String signal) {}

    private record Question(JobId job, long approval) {}

    private static final class Account {
        JobState fold;
        final List<JobEvent> events = new ArrayList<>();
        final Set<Integer> settled = new HashSet<>();
        final Set<EffectId> stepsDone = new HashSet<>();
        final Set<String> signals = new HashSet<>();
        final Set<String> signalsTaken = new HashSet<>();
        Set<EffectId> pending = Set.of();

        Account(JobState fold) {
            this.fold = fold;
        }
    }

    // What the world does

    void starts(Job job, Effect.RunStep step) {
        requireDurable(job.id(), step, "step is run");
    }

    void ran(Job job, Effect.RunStep step) {
        runs.add(new Run(job.id(), step.id()));
    }

    void wants(Job job, Effect.RunStep step, Action action) {
        undoings.wants(job.id(), step.id(), action);
    }

    void reports(WorkerId worker, LeaseToken token) {
        reported.put(token, worker);
    }

    void sends(JobId job, String signal) {
        sent.add(new Sent(job, signal));
    }

    /// Somebody outside is told something.
    void hears(JobId job, Effect.CallWebhook call) {
        requireDurable(job, call, "somebody outside is told");
        hearsay.hears(job, call.id());
    }

    /// A worker begins to work.
    void begins(LeaseToken token) {
        begun.add(token);
    }

    void handsOut(LeaseToken token) {
        if (!granted.contains(token)) {
            throw world.failure("lease " + token + " is handed out before it is durable");
        }
    }

    private void requireDurable(JobId job, Effect effect, String what) {
        var account = accounts.get(job);
        if (account == null || account.fold.version() < effect.id().event()) {
            throw world.failure(
                    what + " before it is durable that job " + job + " asks for it: " + effect);
        }
    }

    // What is told

    void submitted(JobId job) {
        if (!accounts.containsKey(job)) {
            throw world.failure("job " + job + " is acknowledged and not durable");
        }
    }

    /// A report was answered: nothing may remain for which its lease counts.
    void answered(LeaseToken token, CommandReply reply) {
        if (!(reply instanceof CommandReply.Done)) {
            return;
        }
        var address = token.address().orElseThrow();
        var task = task(address.job(), address.task());
        if (task.isEmpty()) {
            throw world.failure("a report under " + token + " is accepted, of a task unknown");
        }
        if (Hedges.isLive(task.get(), token)) {
            throw world.failure("a report under " + token + " is accepted and not durable");
        }
    }

    /// A signal was answered: what is acknowledged is kept.
    void signalled(JobId job, String id, CommandReply reply) {
        if (world.isWatchedOnly()) {
            return;
        }
        var account = accounts.get(job);
        if (reply instanceof CommandReply.Done
                && (account == null || !account.signals.contains(id))) {
            throw world.failure(
                    "signal " + id + " of job " + job + " is acknowledged and not durable");
        }
    }

    /// A decision was answered: what is acknowledged has decided, about its own approval, and alone.
    void decided(JobId job, Approver by, String choice, CommandReply reply) {
        if (!(reply instanceof CommandReply.Done)) {
            return;
        }
        var found =
                fold(job).stream()
                        .flatMap(fold -> fold.approvals().past().stream())
                        .filter(past -> isOf(past, by, choice))
                        .findFirst()
                        .orElseThrow(() ->
                                world.failure(
                                        choice
                                                + " of "
                                                + by
                                                + " about job "
                                                + job
                                                + " is acknowledged and has not decided"));
        if (!decided.add(new Question(job, found.number()))) {
            throw world.failure("approval " + found + " of job " + job + " is decided twice");
        }
    }

    /// Somebody's word on a task was answered: what is acknowledged is what was said.
    void resolved(JobId job, JobCommand.ResolveTask verdict, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !hasHappened(
                        job,
                        event ->
                                event instanceof JobEvent.OutcomeResolved said
                                        && said.task() == verdict.task()
                                        && said.resolution().equals(verdict.resolution()))) {
            throw world.failure(verdict + " about job " + job + " is acknowledged and not durable");
        }
    }

    private boolean hasHappened(JobId job, Predicate<JobEvent> what) {
        var account = accounts.get(job);
        return account != null && account.events.stream().anyMatch(what);
    }

    /// What was done about a quarantined job was answered: what is acknowledged has happened.
    void mended(JobId job, JobCommand.Mend mend, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !hasHappened(
                        job,
                        event ->
                                event instanceof JobEvent.JobMended done
                                        && done.how().equals(mend.how()))) {
            throw world.failure(mend + " of job " + job + " is acknowledged and not durable");
        }
    }

    /// Somebody is about to take a job back.
    void wantsBack(JobId job, Visit to) {
        undoings.wantsBack(job, to);
    }

    /// A job was taken back and that was answered: it was there with the data of that time.
    void rewound(JobId job, JobCommand.Rewind rewind, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !hasHappened(job, event -> Undoings.takesBack(event, rewind.to()))) {
            throw world.failure(rewind + " of job " + job + " is acknowledged and not durable");
        }
    }

    List<JobEvent> eventsOf(JobId job) {
        var account = accounts.get(job);
        return account == null ? List.of() : List.copyOf(account.events);
    }

    private static boolean isOf(Task task, Recorded result) {
        return task.state() instanceof Task.Succeeded done
                && task.spec().type().equals(result.type())
                && task.spec().params().equals(result.params())
                && done.status().equals(result.status())
                && done.data().equals(result.data());
    }

    private static boolean isOf(Approvals.Past past, Approver by, String choice) {
        var isIts =
                switch (by) {
                    case Approver.TokenHolder(var digest) ->
                            past.tokenDigest().equals(Optional.of(digest));
                    case Approver.OfClient(var _, long number) -> past.number() == number;
                };
        return isIts && past.end().equals(new Approvals.Decided(choice, by.text()));
    }

    private Optional<Task> task(JobId job, int task) {
        return fold(job)
                .filter(found -> task < found.tasks().size())
                .map(found -> found.tasks().get(task));
    }

    private static List<Lease> heldOrDoubted(Task task) {
        return task.state() instanceof Task.Doubtful doubt
                ? List.of(doubt.lease())
                : Hedges.leases(task);
    }

    /// The engine says what it has committed.
    void committed(Job live) {
        if (world.isWatchedOnly()) {
            return;
        }
        var account = accounts.get(live.id());
        if (account == null
                || account.fold.version() != live.version()
                || (world.chance(0.3) && !account.fold.equals(live))) {
            throw world.failure(
                    "the job in memory is not the fold of what is durable:\n    in memory "
                            + live
                            + "\n    durable   "
                            + (account == null ? "nothing" : account.fold));
        }
    }

    // What becomes durable

    void durable(JobId job, long expected, List<JobEvent> news, JobRow row) {
        var account =
                accounts.computeIfAbsent(job, id -> new Account(new JobState.Unsubmitted(id)));
        if (account.fold.version() != expected) {
            throw world.failure(
                    "job "
                            + job
                            + " is at "
                            + account.fold.version()
                            + " and got events after "
                            + expected);
        }
        var balance = new HashMap<EffectId, Integer>();
        account.pending.forEach(id -> balance.put(id, 1));
        for (var i = 0; i < news.size(); i++) {
            var event = news.get(i);
            judge(account, event);
            limits.judge(job, account.fold, event, news.subList(i + 1, news.size()));
            var evolution = evolve(account.fold, event);
            evolution.asked().forEach(effect -> balance.merge(effect.id(), 1, Integer::sum));
            evolution.ended().forEach(effect -> balance.merge(effect.id(), -1, Integer::sum));
            account.fold = evolution.after();
            account.events.add(event);
            events++;
        }
        undoings.judge(
                job,
                account.events.subList((int) expected, account.events.size()),
                (Job) account.fold);
        settlePending(job, account, balance);
        var fold = (Job) account.fold;
        if (!JobRow.of(fold, news.getLast().at()).equals(row)) {
            throw world.failure("job " + job + " has the row " + row + " and is " + fold);
        }
        if (fold.isClosed()) {
            open.remove(job);
        } else {
            open.add(job);
        }
    }

    /// What a final job still takes.
    private static boolean answersAFinalJob(JobEvent event) {
        return event instanceof JobEvent.LeaseReleased
                || event instanceof JobEvent.ChildStarted
                || event instanceof JobEvent.ChildRefused
                || event instanceof JobEvent.ChildEnded
                || event instanceof JobEvent.ChildStopped
                || event instanceof JobEvent.ParentInformed
                || event instanceof JobEvent.WebhookDelivered
                || event instanceof JobEvent.WebhookGivenUp;
    }

    private Jobs.Evolution evolve(JobState state, JobEvent event) {
        try {
            return Jobs.effectsOf(state, event);
        } catch (RuntimeException impossible) {
            throw world.failure(
                    "event " + event + " does not fit " + state + ": " + impossible, impossible);
        }
    }

    /// Emitted - answered - withdrawn = pending.
    private void settlePending(JobId job, Account account, Map<EffectId, Integer> balance) {
        var pending = new HashSet<EffectId>();
        for (var effect : Jobs.pending(account.fold)) {
            if (!pending.add(effect.id())) {
                throw world.failure("job " + job + " asks twice for " + effect);
            }
        }
        balance.forEach((id, count) -> {
            if (count != (pending.contains(id) ? 1 : 0)) {
                throw world.failure(
                        "job "
                                + job
                                + ": effect "
                                + id
                                + " was asked for "
                                + count
                                + " times more than it ended, and is "
                                + (pending.contains(id) ? "" : "not ")
                                + "pending in "
                                + account.fold);
            }
        });
        for (var id : pending) {
            if (!balance.containsKey(id)) {
                throw world.failure(
                        "job " + job + ": pending effect " + id + " was never asked for");
            }
        }
        var fold = (Job) account.fold;
        if (pending.isEmpty() != fold.isClosed()) {
            throw world.failure(
                    "job "
                            + job
                            + " is "
                            + (fold.isClosed() ? "closed" : "not closed")
                            + " and has "
                            + pending.size()
                            + " pending effects: "
                            + fold);
        }
        account.pending = pending;
    }

    private boolean isAtEnd(JobState fold, int strand) {
        return fold instanceof Job job
                && definitions
                        .outcomeIn(job.spec().blueprint(), job.strands().get(strand).state())
                        .isPresent();
    }

    private void judge(Account account, JobEvent event) {
        if (account.fold instanceof Job job && job.isFinal() && !answersAFinalJob(event)) {
            throw world.failure("job " + job.id() + " is final, and then comes " + event);
        }
        switch (event) {
            case JobEvent.StepDone(int strand, var step, var _, var _, var _) -> {
                var job = account.fold.id();
                if (!runs.contains(new Run(job, step)) && !isAtEnd(account.fold, strand)) {
                    throw world.failure("step " + step + " of " + job + " is done and never ran");
                }
                if (!account.stepsDone.add(step)) {
                    throw world.failure("step " + step + " of " + job + " is done twice");
                }
            }
            case JobEvent.LeaseGranted granting -> {
                var lease = granting.lease();
                var task = granting.task();
                if (!granted.add(lease.token())) {
                    throw world.failure("lease " + lease.token() + " is granted twice");
                }
                hedges.granted(((Job) account.fold).tasks().get(task), granting);
            }
            case JobEvent.HedgeBegun begun ->
                    hedges.begun(((Job) account.fold).tasks().get(begun.task()), begun);
            case JobEvent.AttemptDropped dropped -> {
                hedges.dropped(((Job) account.fold).tasks().get(dropped.task()), dropped);
                if (Hedges.wasReported(dropped)) {
                    requireReport(account, dropped.task(), dropped.token(), event);
                }
            }
            case JobEvent.TaskSucceeded(int task, var token, var _, var _, var _) -> {
                settle(account, task, event);
                if (!Hedges.isLive(((Job) account.fold).tasks().get(task), token)) {
                    throw world.failure("another lease is held, and " + event + " is applied");
                }
                requireReport(account, task, token, event);
            }
            case JobEvent.TaskFailed(int task, var _, boolean _, var _) ->
                    settle(account, task, event);
            case JobEvent.AttemptFailed(
                            int task,
                            var token,
                            var _,
                            boolean lingers,
                            var _,
                            var _) -> {
                var doubtful =
                        ((Job) account.fold).tasks().get(task).state()
                                        instanceof Task.Doubtful doubt
                                && doubt.lease().token().equals(token);
                if (!doubtful) {
                    hedges.ended(((Job) account.fold).tasks().get(task), token, event);
                    requireRepeatable(account, task, lingers, event);
                }
                if (!lingers) {
                    requireReport(account, task, token, event);
                }
            }
            case JobEvent.JobSubmitted(var spec, var _) -> {
                var key = spec.initialData().get(SimulatedClient.KEY);
                if (world.has(Trait.KEYS)
                        && key.isPresent()
                        && !account.fold.id().value().startsWith(SimulatedPerson.FORK)
                        && !account.fold
                                .id()
                                .equals(named.computeIfAbsent(key.get(), _ -> account.fold.id()))) {
                    throw world.failure(
                            "one key gave two jobs, " + named.get(key.get()) + " and " + event);
                }
                families.begun(account.fold.id(), spec);
            }
            case JobEvent.SignalReceived(var _, var id, var _, var _, var _) -> {
                if (!sent.contains(new Sent(account.fold.id(), id))) {
                    throw world.failure("nobody has sent " + event);
                }
                if (!account.signals.add(id)) {
                    throw world.failure("it came before: " + event);
                }
            }
            case JobEvent.StateEntered(
                            int strand,
                            var _,
                            StepCause.SignalTaken(var signal, var id),
                            var _) -> {
                if (!(doing(account, strand) instanceof Strand.AwaitingSignal wait)
                        || !wait.signal().equals(signal)) {
                    throw world.failure("nobody waits for it: " + event);
                }
                if (!account.signals.contains(id) || !account.signalsTaken.add(id)) {
                    throw world.failure("it never came, or was taken before: " + event);
                }
            }
            case JobEvent.ApprovalDecided(int strand, var choice, var _, var _, var _) -> {
                if (!(doing(account, strand) instanceof Strand.AwaitingApproval wait)
                        || wait.approval().choices().after(choice).isEmpty()) {
                    throw world.failure("nobody waits for it: " + event);
                }
            }
            case JobEvent.ChildStarted(int child, var _) ->
                    families.started((Job) account.fold, child);
            case JobEvent.ChildEnded ended -> families.ended((Job) account.fold, ended);
            case JobEvent.ParentInformed _ -> families.informed((Job) account.fold);
            case JobEvent.WebhookDelivered(var call, int _, var _) ->
                    hearsay.delivered(account.fold.id(), call);
            case JobEvent.WebhookGivenUp(var call, int _, var _, var _) ->
                    hearsay.givenUp(account.fold.id(), call);
            case JobEvent.CancelRequested _ -> families.toldToEnd(account.fold.id());
            case JobEvent.ChildStopped(int child, var _) ->
                    families.stopped((Job) account.fold, child);
            case JobEvent.JobForked(var from, var _, var recorded, var _, var _) -> {
                for (var result : recorded) {
                    if (!task(from, result.task()).filter(it -> isOf(it, result)).isPresent()) {
                        throw world.failure(result + " never came of job " + from);
                    }
                }
            }
            case JobEvent.TaskReused(int task, var result, var _) -> {
                settle(account, task, event);
                var job = (Job) account.fold;
                var spec = job.tasks().get(task).spec();
                var isOwn =
                        result.task() < job.tasks().size()
                                && isOf(job.tasks().get(result.task()), result);
                if (!(isOwn || job.recorded().contains(result))
                        || !spec.type().equals(result.type())
                        || !spec.params().equals(result.params())) {
                    throw world.failure("it does not fit " + spec + ": " + event);
                }
            }
            case JobEvent.JobMended _ -> {
                if (!(((Job) account.fold).phase() instanceof Job.Quarantined)) {
                    throw world.failure("it is not quarantined: " + event);
                }
            }
            case JobEvent.LeaseLost(int task, var token, var _, var _) -> {
                hedges.ended(((Job) account.fold).tasks().get(task), token, event);
                requireRepeatable(account, task, true, event);
            }
            case JobEvent.LeaseReturned(int task, var token, var _, var _, var _) -> {
                hedges.ended(((Job) account.fold).tasks().get(task), token, event);
                requireRepeatable(account, task, begun.contains(token), event);
            }
            case JobEvent.OutcomeUnknown(int task, var token, var _, boolean _, var _) -> {
                hedges.ended(((Job) account.fold).tasks().get(task), token, event);
            }
            case JobEvent.OutcomeResolved(int task, var resolution, var _, var _) -> {
                if (!(((Job) account.fold).tasks().get(task).state() instanceof Task.Doubtful)) {
                    throw world.failure("nobody waits to know: " + event);
                }
                if (!(resolution instanceof Resolution.DidNotHappen)) {
                    settle(account, task, event);
                }
            }
            case JobEvent.StateEntered _,
                    JobEvent.StepFailed _,
                    JobEvent.StepRetried _,
                    JobEvent.TaskOpened _,
                    JobEvent.TasksOpened _,
                    JobEvent.LeaseReleased _,
                    JobEvent.TasksWithdrawn _,
                    JobEvent.Forked _,
                    JobEvent.BranchEnded _,
                    JobEvent.BranchesStopped _,
                    JobEvent.WaitBegun _,
                    JobEvent.SignalAwaited _,
                    JobEvent.ApprovalRequested _,
                    JobEvent.ChildRequested _,
                    JobEvent.UndoDeclared _,
                    JobEvent.UndoBegun _,
                    JobEvent.Undone _,
                    JobEvent.ChildRefused _,
                    JobEvent.CancelHandled _,
                    JobEvent.JobQuarantined _,
                    JobEvent.JobRewound _,
                    JobEvent.JobEnded _ -> {}
        }
    }

    /// What must not be done twice is not given to anybody else when its worker may have begun.
    private void requireRepeatable(Account account, int task, boolean mayBeDone, JobEvent event) {
        if (mayBeDone && !((Job) account.fold).tasks().get(task).spec().idempotent()) {
            throw world.failure("it may have been done and is done again: " + event);
        }
    }

    private static Strand.Doing doing(Account account, int strand) {
        return ((Job) account.fold).strands().get(strand).doing();
    }

    private void requireReport(Account account, int task, LeaseToken token, JobEvent event) {
        var isReported =
                task(account.fold.id(), task).stream()
                        .flatMap(found -> heldOrDoubted(found).stream())
                        .filter(lease -> lease.token().equals(token))
                        .anyMatch(lease -> lease.worker().equals(reported.get(token)));
        if (!isReported) {
            throw world.failure("nobody reported under " + token + ": " + event);
        }
    }

    private void settle(Account account, int task, JobEvent event) {
        if (!account.settled.add(task)) {
            throw world.failure(
                    "task "
                            + task
                            + " of "
                            + account.fold.id()
                            + " has its outcome, and then comes "
                            + event);
        }
    }

    // Questions

    Optional<Job> fold(JobId job) {
        var account = accounts.get(job);
        return account != null && account.fold instanceof Job found
                ? Optional.of(found)
                : Optional.empty();
    }

    Collection<JobId> open() {
        return accounts.keySet().stream().filter(open::contains).toList();
    }

    boolean isEverythingClosed() {
        return open.isEmpty();
    }

    Collection<JobId> jobs() {
        return accounts.keySet();
    }

    /// A number that no job has in its name.
    long freshNumber() {
        return ++freshNumber;
    }

    long events() {
        return events;
    }

    /// Whether the durable `job` will tell `parent` of its end, or tells it at this moment.
    boolean willTell(JobId job, JobId parent) {
        return families.willTell(job, parent);
    }

    /// What must be true of every tree when all is over.
    void checkFamilies() {
        families.checkAll(accounts.keySet());
        accounts.values().forEach(account -> hearsay.check((Job) account.fold, account.events));
    }

    /// Folds everything from its beginning again.
    void replayAll() {
        accounts.forEach((id, account) -> {
            var replayed = Jobs.evolve(new JobState.Unsubmitted(id), account.events).after();
            if (!replayed.equals(account.fold)) {
                throw world.failure(
                        "job " + id + " replays to " + replayed + ", was " + account.fold);
            }
        });
    }
}
