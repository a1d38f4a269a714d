package dev.artel.simulation.card;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.simulation.card.RandomCard.Place;
import dev.artel.simulation.card.RandomStep.Act;
import dev.artel.simulation.card.RandomStep.Choose;
import dev.artel.simulation.card.RandomStep.Complete;
import dev.artel.simulation.card.RandomStep.Quality;
import dev.artel.simulation.card.RandomStep.Together;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Judges in which order the steps of cards run, by the events of their processes and by what was drawn. A step
/// - begins when those are over on which it depends,
/// - follows the one that leads to it, and the one that a condition chooses,
/// - succeeds once, unless its card leads back to it, its quality is not good enough or a person wants it again,
/// - is done again as often as its quality asks for, and not more often,
/// - has no handler that fails but by a fault.
final class CardOrderInvariants implements JobJudge {
    private final World world;
    private final Map<String, SequencedMap<String, Place>> places = new HashMap<>();
    private final List<String> faults;
    private final CardValues values;
    private final Map<JobId, Account> accounts = new HashMap<>();

    /// What is known of a process.
    private static final class Account {
        /// The last step and the last state of each branch.
        final Map<Integer, String> steps = new HashMap<>();

        final Map<Integer, String> states = new HashMap<>();

        /// The steps that are over.
        final Set<String> over = new HashSet<>();

        /// What was over when the process entered a state.
        final Map<String, Set<String>> overAt = new HashMap<>();

        /// The steps whose task has succeeded in this visit.
        final Set<String> succeeded = new HashSet<>();

        /// The states in which the open tasks were opened.
        final Map<Integer, String> tasks = new HashMap<>();

        final Map<String, Integer> rounds = new HashMap<>();
        final Map<String, Double> scores = new HashMap<>();

        /// The process goes on where no step has led to.
        void leave() {
            steps.clear();
            states.clear();
            succeeded.clear();
            rounds.clear();
            scores.clear();
        }
    }

    CardOrderInvariants(
            World world, Map<String, RandomCard> cards, List<String> faults, CardValues values) {
        this.world = world;
        cards.forEach((name, card) -> places.put(name, card.places()));
        this.faults = faults;
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
            case JobEvent.StateEntered(int branch, var state, var cause, var _) -> {
                if (!before.compensationLog().isAt(branch)) {
                    entered(new Entry(before, account, card, branch, state, cause));
                }
            }
            case JobEvent.Forked forked -> {
                for (var i = 0; i < forked.starts().size(); i++) {
                    var branch = before.branches().size() + i;
                    entered(
                            new Entry(
                                    before,
                                    account,
                                    card,
                                    branch,
                                    forked.starts().get(i),
                                    new StepCause.Started()));
                }
            }
            case JobEvent.StepFailed failed
                    when !before.compensationLog().isAt(failed.branch()) -> {
                if (faults.stream().noneMatch(failed.message()::equals)) {
                    throw wrong(before, "a step of it fails by itself: " + failed);
                }
            }
            case JobEvent.BranchEnded(int branch, var failure, boolean _, var _) -> {
                requireOwnFailure(before, card, branch, failure);
                var last = account.steps.remove(branch);
                if (failure.isEmpty() && last != null) {
                    account.over.add(last);
                }
            }
            case JobEvent.TaskOpened(int branch, var _, var _, var _) -> {
                if (!before.compensationLog().isAt(branch)) {
                    account.tasks.put(before.tasks().size(), before.branches().get(branch).state());
                }
            }
            case JobEvent.TaskSucceeded(int task, var _, var status, var data, var _) -> {
                if (status.equals("success")) {
                    succeeded(before, account, task, values.of(data));
                }
            }
            case JobEvent.TaskReused(int task, var result, var _) -> {
                if (result.status().equals("success")) {
                    succeeded(before, account, task, values.of(result.data()));
                }
            }
            case JobEvent.JobRewound rewound -> {
                account.leave();
                account.over.clear();
                account.over.addAll(account.overAt.getOrDefault(rewound.to(), card.keySet()));
            }
            case JobEvent.JobForked _ -> account.over.addAll(card.keySet());
            case JobEvent.JobEnded(JobOutcome.Failed(var reason), var _) ->
                    requireOwnFailure(before, card, 0, Optional.of(reason));
            case JobEvent.QuarantineResolved _ -> account.leave();
            default -> {
                // is of no concern to the order of steps
            }
        }
    }

    /// The failure of a step names that step; of one with branches, what has failed there.
    private void requireOwnFailure(
            Job job, SequencedMap<String, Place> card, int branch, Optional<String> failure) {
        var state = job.branches().get(branch).state();
        var place = card.get(state.replaceFirst("\\.failed$", ""));
        if (place == null
                || !state.endsWith(".failed")
                || place.step().work() instanceof Together
                || failure.filter(why -> why.startsWith("step '")).isEmpty()) {
            return;
        }
        if (!failure.get().startsWith("step '" + place.step().id() + "'")) {
            throw wrong(
                    job,
                    "step " + place.step().id() + " fails for another reason: " + failure.get());
        }
    }

    /// A branch enters a state.
    private record Entry(
            Job job,
            Account account,
            SequencedMap<String, Place> card,
            int branch,
            String state,
            StepCause cause) {
        Optional<Place> place() {
            return Optional.ofNullable(card.get(step()));
        }

        /// The step to which the state belongs.
        String step() {
            var dot = state.indexOf('.');
            return dot < 0 ? state : state.substring(0, dot);
        }

        boolean isBeginOfStep() {
            return state.equals(step());
        }

        @Nullable String lastStep() {
            return account.steps.get(branch);
        }

        @Nullable String lastState() {
            return account.states.get(branch);
        }
    }

    private RuntimeException wrong(Job job, String what) {
        return world.failure(
                "the process of job "
                        + job.id()
                        + " ("
                        + job.spec().blueprint().name()
                        + "): "
                        + what);
    }

    private void entered(Entry entry) {
        var account = entry.account();
        var last = entry.lastStep();
        var step = entry.step();
        if (last != null && !last.equals(step)) {
            judgeQuality(entry, last);
        }
        if (entry.cause() instanceof StepCause.Resolved) {
            account.steps.remove(entry.branch());
            account.succeeded.remove(step);
        } else if (last != null && !last.equals(step)) {
            account.over.add(last);
        }
        if (entry.branch() == 0) {
            account.overAt.put(entry.state(), Set.copyOf(account.over));
        }
        if (entry.place().isEmpty()) {
            account.steps.remove(entry.branch());
        } else {
            if (entry.isBeginOfStep()) {
                begun(entry, entry.place().get());
            }
            account.steps.put(entry.branch(), step);
        }
        if ((entry.step() + ".verdict").equals(entry.state())) {
            // Of a job that was taken back to its judgement: what follows from the verdict begins
            // to count anew.
            account.rounds.putIfAbsent(entry.step(), roundInData(entry.job(), entry.step()));
        }
        account.states.put(entry.branch(), entry.state());
    }

    private void begun(Entry entry, Place place) {
        var account = entry.account();
        var step = place.step();
        var last = Optional.ofNullable(entry.lastStep());
        if (last.filter(step.id()::equals).isPresent()) {
            again(entry, step);
        } else {
            last.map(entry.card()::get).ifPresent(from -> follows(entry, from, place));
            account.rounds.put(
                    step.id(), last.isPresent() ? 1 : roundInData(entry.job(), step.id()));
        }
        if (!account.over.containsAll(step.needs())) {
            throw wrong(
                    entry.job(),
                    "step "
                            + step.id()
                            + " begins before what it depends on, "
                            + step.needs()
                            + "; over are "
                            + account.over);
        }
        var behind = place.behindThem().filter(step::equals).isPresent() && place.to() > 0;
        if (behind && last.isEmpty() && entry.branch() == 0 && account.states.containsKey(0)) {
            requireAllOver(entry, place, step);
        }
        if (account.succeeded.contains(step.id())) {
            throw wrong(
                    entry.job(),
                    "step " + step.id() + " has succeeded, and begins again without a reason");
        }
        account.over.remove(step.id());
    }

    private void requireAllOver(Entry entry, Place place, RandomStep step) {
        for (var other : place.orderedByNeeds()) {
            if (!entry.account().over.contains(other.id())) {
                throw wrong(
                        entry.job(),
                        "step "
                                + step.id()
                                + " begins before "
                                + other.id()
                                + ", which is among those before it");
            }
        }
    }

    /// A step begins again where no other one was in between.
    private void again(Entry entry, RandomStep step) {
        var account = entry.account();
        var id = step.id();
        if (entry.cause() instanceof StepCause.Decided) {
            for (var inside : RandomCard.with(step)) {
                account.succeeded.remove(inside.id());
                account.over.remove(inside.id());
            }
            account.rounds.put(id, 1);
        } else if ((id + ".verdict").equals(entry.lastState())) {
            var quality = quality(step).orElseThrow();
            var round =
                    account.rounds.merge(id, roundInData(entry.job(), id), (known, _) -> known + 1);
            if (round > quality.most() || !quality.isDoneAgain(score(entry, id))) {
                throw wrong(
                        entry.job(),
                        "step "
                                + id
                                + " is done a time too often: round "
                                + round
                                + ", score "
                                + score(entry, id)
                                + ", "
                                + quality);
            }
            account.succeeded.remove(id);
        }
    }

    /// The round in which a process is that begins or goes on where nothing leads to.
    private int roundInData(Job job, String id) {
        return job.data()
                .get(id + ".round")
                .map(values::of)
                .filter(JsonNumber.class::isInstance)
                .map(round -> (int) ((JsonNumber) round).asLong())
                .orElse(1);
    }

    /// The last one; that of a job that begins behind the judgement is among its data.
    private double score(Entry entry, String id) {
        return Optional.ofNullable(entry.account().scores.get(id))
                .or(() ->
                        entry.job()
                                .data()
                                .get(id + ".quality")
                                .map(values::of)
                                .flatMap(CardOrderInvariants::score))
                .orElse(-1.0);
    }

    private static Optional<Double> score(JsonValue judgement) {
        return judgement instanceof JsonObject object
                ? object.number("score").map(JsonNumber::asDouble)
                : Optional.empty();
    }

    private static Optional<Quality> quality(RandomStep step) {
        return step.work() instanceof Act act ? act.quality() : Optional.empty();
    }

    /// Its output is good enough, or was done again as often as it may.
    private void judgeQuality(Entry entry, String last) {
        var quality = Optional.ofNullable(entry.card().get(last)).flatMap(it -> quality(it.step()));
        var isOver =
                quality.isPresent()
                        && (last + ".verdict").equals(entry.lastState())
                        && !(entry.cause() instanceof StepCause.Resolved);
        if (!isOver) {
            return;
        }
        var score = score(entry, last);
        var isLast =
                entry.account().rounds.getOrDefault(last, roundInData(entry.job(), last))
                        >= quality.get().most();
        if (quality.get().isDoneAgain(score) && !isLast) {
            throw wrong(
                    entry.job(),
                    "step " + last + " is over with a score of " + score + ", " + quality.get());
        }
    }

    private void follows(Entry entry, Place from, Place to) {
        var last = from.step();
        var next = to.step();
        if (!from.list().equals(to.list())) {
            throw wrong(entry.job(), "step " + next.id() + " begins in the place of " + last.id());
        }
        if (to.isOrderedByNeeds()) {
            leadBack(entry.account(), from, to);
            return;
        }
        if (from.isOrderedByNeeds()) {
            if (from.behindThem().filter(next::equals).isEmpty()) {
                throw unled(entry, from.step(), next);
            }
            requireAllOver(entry, from, next);
            return;
        }
        var led = led(entry, from);
        if (led.filter(next.id()::equals).isEmpty()) {
            throw unled(entry, last, next);
        }
        leadBack(entry.account(), from, to);
    }

    private RuntimeException unled(Entry entry, RandomStep last, RandomStep next) {
        return wrong(
                entry.job(),
                "step " + next.id() + " begins, and " + last.id() + " does not lead to it");
    }

    /// The step to which that at `from` leads.
    private Optional<String> led(Entry entry, Place from) {
        var inText =
                from.index() + 1 < from.list().size()
                        ? Optional.of(from.list().get(from.index() + 1).id())
                        : Optional.<String>empty();
        return switch (from.step().work()) {
            case Choose choose -> {
                var number = values.of(entry.job(), choose.reads());
                yield number.orElse(null) instanceof JsonNumber it
                                && it.asDouble() >= choose.least()
                        ? Optional.of(choose.then())
                        : choose.otherwise().or(() -> inText);
            }
            case Complete _ -> Optional.empty();
            default -> from.step().next().or(() -> inText);
        };
    }

    /// What is done again is not over any more.
    private static void leadBack(Account account, Place from, Place to) {
        if (to.index() > from.index()) {
            return;
        }
        for (var step : from.list().subList(to.index(), from.list().size())) {
            for (var again : RandomCard.with(step)) {
                account.over.remove(again.id());
                account.succeeded.remove(again.id());
            }
        }
    }

    private void succeeded(Job job, Account account, int task, JsonValue result) {
        var state = account.tasks.remove(task);
        if (state == null) {
            return;
        }
        if (state.endsWith(".quality")) {
            var id = state.substring(0, state.indexOf('.'));
            account.scores.put(id, score(result).orElse(-1.0));
        } else if (!account.succeeded.add(state)) {
            throw wrong(job, "step " + state + " succeeds twice");
        }
    }
}
