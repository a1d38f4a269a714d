package dev.artel.simulation.card;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.card.RandomCard.Place;
import dev.artel.simulation.card.RandomStep.Act;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// Judges how what the steps of cards have done is compensated: all that has succeeded, and no more, when the process fails or is cancelled; from the last to
/// the first, each once and with its own output.
final class CardCompensationInvariants implements JobJudge {
    private final World world;
    private final Map<String, SequencedMap<String, Place>> places = new HashMap<>();
    private final CardValues values;
    private final Map<JobId, Account> accounts = new HashMap<>();

    private static final class Account {
        /// What has succeeded and was not compensated, in this order.
        final List<Completed> completed = new ArrayList<>();

        /// The tasks of which it is not certain when they were done, or that they were.
        final Set<Integer> uncertain = new HashSet<>();

        /// The tasks that a worker had.
        final Set<Integer> begun = new HashSet<>();

        /// What is being compensated.
        Optional<Completed> undone = Optional.empty();
    }

    private record Completed(String step, int task, JsonValue output) {}

    CardCompensationInvariants(World world, Map<String, RandomCard> cards, CardValues values) {
        this.world = world;
        cards.forEach((name, card) -> places.put(name, card.places()));
        this.values = values;
    }

    @Override
    public void judge(Job before, JobEvent event, List<JobEvent> behind) {
        var card = places.get(before.spec().blueprint().name());
        if (card == null) {
            return;
        }
        var account = accounts.computeIfAbsent(before.id(), _ -> new Account());
        switch (event) {
            case JobEvent.TaskSucceeded(int task, var _, var _, var data, var _) ->
                    succeeded(before, account, card, task, values.of(data));
            case JobEvent.TaskReused reused -> account.uncertain.add(reused.task());
            case JobEvent.OutcomeResolved resolved -> {
                if (resolved.resolution() instanceof Resolution.Happened) {
                    account.uncertain.add(resolved.task());
                }
            }
            case JobEvent.LeaseGranted granted -> account.begun.add(granted.task());
            case JobEvent.LeaseReleased released -> account.uncertain.add(released.task());
            case JobEvent.LeaseLost lost -> account.uncertain.add(lost.task());
            case JobEvent.AttemptDropped dropped -> account.uncertain.add(dropped.task());
            case JobEvent.OutcomeUnknown unknown -> account.uncertain.add(unknown.task());
            case JobEvent.AttemptFailed failed when failed.lingers() ->
                    account.uncertain.add(failed.task());
            case JobEvent.TaskFailed failed when failed.lingers() ->
                    account.uncertain.add(failed.task());
            case JobEvent.StateEntered(int branch, var state, var _, var _)
                    when state.endsWith(".compensation") && before.compensationLog().isAt(branch) ->
                    before.compensationLog()
                            .compensating(branch)
                            .ifPresent(entry -> begun(before, account, card, entry));
            case JobEvent.TaskOpened(int branch, var spec, var _, var _)
                    when before.compensationLog().isAt(branch) ->
                    opened(before, account, spec);
            case JobEvent.CompensationCompleted _ ->
                    account.undone.ifPresent(undone ->
                            account.completed.removeIf(one -> one.task() == undone.task()));
            case JobEvent.JobEnded(var outcome, var _) -> ended(before, account, outcome);
            default -> {
                // is nothing that is compensated
            }
        }
    }

    private RuntimeException wrong(Job job, String what) {
        return world.failure(
                "the process of job "
                        + job.id()
                        + " ("
                        + job.spec().blueprint().name()
                        + ") "
                        + what);
    }

    private void succeeded(
            Job job,
            Account account,
            SequencedMap<String, Place> card,
            int task,
            JsonValue output) {
        var done = job.tasks().get(task);
        var isOfCompensation =
                values.of(done.spec().params()) instanceof JsonObject params
                        && !params.has(CardText.SEEN);
        var place = card.get(job.branches().get(done.branch()).state());
        if (!isOfCompensation
                && place != null
                && place.step().work() instanceof Act act
                && act.isCompensated()
                && (job.compensationLog().running().isEmpty()
                        || job.compensationLog().isWaiting())) {
            account.completed.add(new Completed(place.step().id(), task, output));
        }
    }

    /// What was done last is compensated first.
    private void begun(
            Job job,
            Account account,
            SequencedMap<String, Place> card,
            CompensationLog.Entry entry) {
        var step = entry.state();
        if (card.get(step) == null
                || !(card.get(step).step().work() instanceof Act act)
                || !act.isCompensated()) {
            throw wrong(job, "compensates " + step + ", which has no compensation");
        }
        var task = entry.firstTask();
        if (mayBeDone(job, account, task)) {
            account.uncertain.add(task);
            account.undone = Optional.of(new Completed(step, task, JsonNull.NULL));
            return;
        }
        var found = account.completed.stream().filter(one -> one.task() == task).findFirst();
        if (found.isEmpty()) {
            throw wrong(
                    job,
                    "compensates " + step + ", which has not succeeded or was compensated before");
        }
        var place = account.completed.indexOf(found.get());
        account.completed.stream()
                .skip(place + 1L)
                .filter(other -> !account.uncertain.contains(other.task()))
                .findFirst()
                .ifPresent(later -> {
                    throw wrong(
                            job,
                            "compensates "
                                    + found.get()
                                    + " before "
                                    + later
                                    + ", which was done after it");
                });
        account.undone = found;
    }

    /// Whether it is not known if `task` was done: a worker had it and has not reported.
    private static boolean mayBeDone(Job job, Account account, int task) {
        return account.uncertain.contains(task)
                || (account.begun.contains(task)
                        && (job.tasks().get(task).state() instanceof Task.Open
                                || job.tasks().get(task).state() instanceof Task.Cancelled));
    }

    private void opened(Job job, Account account, TaskSpec spec) {
        var params = (JsonObject) values.of(spec.params());
        var undone = account.undone.orElseThrow();
        if (!params.string(CardText.UNDO).equals(Optional.of(undone.step()))) {
            throw wrong(job, "compensates " + undone + " with " + params);
        }
        if (!account.uncertain.contains(undone.task())
                && !(undone.output() instanceof JsonObject output
                        && output.get(RandomCard.MADE).equals(params.get(RandomCard.MADE)))) {
            throw wrong(job, "compensates " + undone + " with another output: " + params);
        }
    }

    private void ended(Job job, Account account, JobOutcome outcome) {
        var left =
                account.completed.stream()
                        .filter(one -> !account.uncertain.contains(one.task()))
                        .toList();
        if (!(outcome instanceof JobOutcome.Finished) && !left.isEmpty()) {
            throw wrong(job, "ends as " + outcome + ", and has not compensated " + left);
        }
    }
}
