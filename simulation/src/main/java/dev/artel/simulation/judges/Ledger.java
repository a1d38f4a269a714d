package dev.artel.simulation.judges;

import dev.artel.engine.core.Definitions;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.JobRow;
import dev.artel.simulation.world.Sharing;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// What is durable, and what the world has seen: the judge of everything that becomes durable.
public final class Ledger {
    private final World world;
    private final SequencedMap<JobId, JobAccount> accounts = new LinkedHashMap<>();
    private final Set<JobId> open = new HashSet<>();
    private final WorldHistory worldHistory = new WorldHistory();
    private final AcknowledgementInvariants acknowledgementInvariants;
    private final EventInvariants judge;
    private final PendingInvariants balance;
    private final ChildInvariants childInvariants;
    private final CompensationInvariants compensationInvariants;
    private final GuardInvariants guardInvariants;
    private final SpendingInvariants spendingInvariants;
    private final WebhookInvariants webhookInvariants;
    private final ReuseInvariants reuseInvariants;
    private final SharedLimitInvariants sharedLimitInvariants;
    private final List<JobJudge> judges = new ArrayList<>();
    private long events;
    private long freshNumber;

    /// @param definitions knows the states in which nothing is run
    /// @param blueprints the definitions themselves
    /// @param sharing how many tasks may be with workers at once
    public Ledger(
            World world,
            Definitions definitions,
            Function<BlueprintRef, Optional<Blueprint>> blueprints,
            Sharing sharing) {
        this.world = world;
        sharedLimitInvariants = new SharedLimitInvariants(world, sharing);
        guardInvariants = new GuardInvariants(world, blueprints);
        spendingInvariants = new SpendingInvariants(world, blueprints, this::fold);
        balance = new PendingInvariants(world);
        acknowledgementInvariants = new AcknowledgementInvariants(world, this);
        childInvariants = new ChildInvariants(world, this::fold);
        compensationInvariants = new CompensationInvariants(world);
        webhookInvariants = new WebhookInvariants(world);
        reuseInvariants = new ReuseInvariants(world);
        judge =
                new EventInvariants(
                        world,
                        definitions,
                        worldHistory,
                        this::tasks,
                        childInvariants,
                        webhookInvariants);
    }

    /// `judge` looks at everything that becomes durable from now on.
    public void judgedBy(JobJudge judge) {
        judges.add(judge);
    }

    // What the world does

    public void starts(Job job, Effect.RunStep step) {
        requireDurable(job.id(), step, "step is run");
    }

    public void ran(Job job, Effect.RunStep step) {
        worldHistory.ran(job.id(), step.id());
    }

    public void wants(Job job, Effect.RunStep step, Action action) {
        compensationInvariants.wants(job.id(), step.id(), action);
        if (action instanceof Action.ContinueAsNew(var _, var data)) {
            worldHistory.wantsRun(job.id(), data);
        }
    }

    public void reports(WorkerId worker, LeaseToken token) {
        worldHistory.reports(worker, token);
    }

    public void asks(WorkerId worker, LeaseToken token, String question) {
        worldHistory.asks(worker, token, question);
    }

    public void answers(JobId job, long number, String answer) {
        worldHistory.answers(job, number, answer);
    }

    public void sends(JobId job, String signal) {
        worldHistory.sends(job, signal);
    }

    /// A webhook is called.
    public void hears(JobId job, Effect.CallWebhook call) {
        requireDurable(job, call, "a webhook is called");
        webhookInvariants.hears(job, call.id());
    }

    /// A worker begins to work.
    public void begins(LeaseToken token) {
        worldHistory.begins(token);
    }

    public void handsOut(LeaseToken token) {
        if (!judge.isGranted(token)) {
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

    /// Somebody is about to take a job back.
    public void wantsBack(JobId job, StateVisit to) {
        compensationInvariants.wantsBack(job, to);
    }

    /// Judges the answers to callers that wait.
    public AcknowledgementInvariants acknowledged() {
        return acknowledgementInvariants;
    }

    public List<JobEvent> eventsOf(JobId job) {
        var account = accounts.get(job);
        return account == null ? List.of() : List.copyOf(account.events);
    }

    /// Gives the first `count` events of `job`, oldest first.
    public void forEach(JobId job, long count, Consumer<JobEvent> event) {
        var account = accounts.get(job);
        if (account != null) {
            var known = account.events;
            for (var i = 0; i < Math.min(count, known.size()); i++) {
                event.accept(known.get(i));
            }
        }
    }

    boolean hasHappened(JobId job, Predicate<JobEvent> what) {
        var account = accounts.get(job);
        return account != null && account.events.stream().anyMatch(what);
    }

    /// Whether the signal `id` of `job` is durable.
    boolean hasSignal(JobId job, String id) {
        var account = accounts.get(job);
        return account != null && account.signals.contains(id);
    }

    /// The durable task.
    public Optional<Task> task(JobId job, int task) {
        return fold(job)
                .filter(found -> task < found.tasks().size())
                .map(found -> found.tasks().get(task));
    }

    private List<Task> tasks(JobId job, int number) {
        var all = new ArrayList<Task>();
        task(job, number).ifPresent(all::add);
        var account = accounts.get(job);
        if (account != null) {
            account.earlier.stream().filter(task -> task.id() == number).forEach(all::add);
        }
        return all;
    }

    /// The engine reports what it has committed.
    public void committed(Job live) {
        if (world.isWatchedOnly()) {
            return;
        }
        var account = accounts.get(live.id());
        if (account == null
                || account.fold.version() != live.version()
                || (world.chance(0.1) && !account.fold.equals(live))) {
            throw world.failure(
                    "the job in memory is not the fold of what is durable:\n    in memory "
                            + live
                            + "\n    durable   "
                            + (account == null ? "nothing" : account.fold));
        }
    }

    // What becomes durable

    public void durable(JobId job, long expected, List<JobEvent> appended, JobRow row) {
        var account = accounts.computeIfAbsent(job, JobAccount::new);
        if (account.fold.version() != expected) {
            throw world.failure(
                    "job "
                            + job
                            + " is at "
                            + account.fold.version()
                            + " and got events after "
                            + expected);
        }
        var asked = new HashMap<EffectId, Integer>();
        account.pending.forEach(id -> asked.put(id, 1));
        var folds = new ArrayList<JobState>();
        for (var i = 0; i < appended.size(); i++) {
            var event = appended.get(i);
            judge.judge(account, event);
            spendingInvariants.judge(job, account.fold, event);
            guardInvariants.judge(
                    job, account.fold, event, appended.subList(i + 1, appended.size()));
            reuseInvariants.judge(
                    job, account.fold, event, appended.subList(i + 1, appended.size()));
            if (account.fold instanceof Job before) {
                for (var other : judges) {
                    other.judge(before, event, appended.subList(i + 1, appended.size()));
                }
            }
            var evolution = evolve(account.fold, event);
            evolution.asked().forEach(effect -> asked.merge(effect.id(), 1, Integer::sum));
            evolution.ended().forEach(effect -> asked.merge(effect.id(), -1, Integer::sum));
            sharedLimitInvariants.judge(event, evolution);
            if (event instanceof JobEvent.JobContinued) {
                ((Job) account.fold).tasks().forEach(account.earlier::add);
            }
            account.fold = evolution.after();
            folds.add(account.fold);
            if (event instanceof JobEvent.JobContinued && account.tasks() == 0) {
                account.settled.clear();
            }
            account.events.add(event);
            events++;
        }
        compensationInvariants.judge(
                job, account.events.subList((int) expected, account.events.size()), folds);
        balance.settle(job, account, asked);
        var fold = (Job) account.fold;
        if (!JobRow.of(fold, appended.getLast().at()).equals(row)) {
            throw world.failure("job " + job + " has the row " + row + " and is " + fold);
        }
        if (fold.isClosed()) {
            open.remove(job);
        } else {
            open.add(job);
        }
    }

    private Jobs.Evolution evolve(JobState state, JobEvent event) {
        try {
            return Jobs.effectsOf(state, event);
        } catch (RuntimeException impossible) {
            throw world.failure(
                    "event " + event + " does not fit " + state + ": " + impossible, impossible);
        }
    }

    // AskedQuestions

    public Optional<Job> fold(JobId job) {
        var account = accounts.get(job);
        return account != null && account.fold instanceof Job found
                ? Optional.of(found)
                : Optional.empty();
    }

    public Collection<JobId> open() {
        return accounts.keySet().stream().filter(open::contains).toList();
    }

    public boolean isEverythingClosed() {
        return open.isEmpty();
    }

    public Collection<JobId> jobs() {
        return accounts.keySet();
    }

    /// A number that no job has in its name.
    public long freshNumber() {
        return ++freshNumber;
    }

    public long events() {
        return events;
    }

    /// Whether the durable `job` will report its end to `parent`, or reports it at this moment.
    public boolean willNotifyParent(JobId job, JobId parent) {
        return childInvariants.willNotifyParent(job, parent);
    }

    /// What must be true of every tree when all is over.
    public void checkFamilies() {
        childInvariants.checkAll(accounts.keySet());
        accounts.values()
                .forEach(account -> webhookInvariants.check((Job) account.fold, account.events));
    }

    /// Folds everything from its beginning again.
    public void replayAll() {
        accounts.forEach((id, account) -> {
            var replayed = Jobs.evolve(new JobState.Unsubmitted(id), account.events).after();
            if (!replayed.equals(account.fold)) {
                throw world.failure(
                        "job " + id + " replays to " + replayed + ", was " + account.fold);
            }
        });
    }
}
