package dev.artel.simulation.card;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.card.RandomCard.Place;
import dev.artel.simulation.card.RandomStep.Run;
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
import java.util.stream.IntStream;

/// Judges how the processes of cards are kept apart. One that runs another
/// - gives it what the step names, and nothing else,
/// - receives its result, in the variable of the step and nowhere else,
/// - has no more generations below it, and enters no more states with them, than it may.
///
/// What a process gives its workers is what it was started with.
final class SubprocessInvariants implements JobJudge {
    /// What a person leaves in the data of a job that is tried again.
    private static final String OF_PERSON = "resolved";

    private final World world;
    private final Map<String, RandomCard> cards;
    private final Map<String, SequencedMap<String, Place>> places = new HashMap<>();
    private final Map<String, Set<String>> names = new HashMap<>();
    private final CardValues values;
    private final Set<JobId> known = new HashSet<>();

    SubprocessInvariants(World world, Map<String, RandomCard> cards, CardValues values) {
        this.world = world;
        this.cards = cards;
        this.values = values;
        cards.forEach((name, card) -> {
            places.put(name, card.places());
            names.put(name, names(card));
        });
    }

    /// The names under which a process of `card` keeps anything.
    private static Set<String> names(RandomCard card) {
        var names = new HashSet<>(Set.of("failure", "approval", OF_PERSON));
        for (var place : card.places().values()) {
            var step = place.step();
            names.add(step.variable());
            for (var part : List.of("round", "feedback", "quality", "failure", "compensation")) {
                names.add(step.id() + "." + part);
            }
            if (step.work() instanceof RandomStep.Await await) {
                names.add(await.event());
            }
        }
        return names;
    }

    @Override
    public void judge(Job before, JobEvent event, List<JobEvent> behind) {
        var card = places.get(before.spec().blueprint().name());
        if (card == null) {
            return;
        }
        if (known.add(before.id())) {
            begun(before);
        }
        if (behind.isEmpty()) {
            requireOwnData(before);
        }
        switch (event) {
            case JobEvent.ChildrenRequested asked -> asked(before, card, asked);
            case JobEvent.StepDone(int branch, var _, var changes, var _, var _) ->
                    done(before, card, branch, changes);
            case JobEvent.TaskOpened(int _, var spec, var _, var _) -> opened(before, spec);
            default -> {
                // concerns no other process
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

    /// Its tree allows it.
    private void begun(Job job) {
        var link = job.spec().parentLink();
        var root = link.flatMap(it -> Optional.ofNullable(cards.get(it.path().getFirst())));
        var most = root.flatMap(it -> it.maxDepth().stream().boxed().findFirst());
        if (most.isPresent() && link.orElseThrow().path().size() > most.get()) {
            throw wrong(
                    job,
                    "is too deep: "
                            + link.get().path()
                            + " are above it, and the first may have "
                            + most.get()
                            + " generations");
        }
    }

    private void requireOwnData(Job job) {
        var own = names.getOrDefault(job.spec().blueprint().name(), Set.of());
        for (var name : job.data().values().sequencedKeySet()) {
            if (!own.contains(name) && !name.matches("fork\\.\\d+\\.failure")) {
                throw wrong(job, "has '" + name + "' among its data, which is not its own");
            }
        }
        if (job.steps() > job.stepsAllowed() && job.isCountedAsTree()) {
            throw wrong(
                    job,
                    "has taken "
                            + job.steps()
                            + " steps with those below it, and may take "
                            + job.stepsAllowed());
        }
    }

    private void asked(
            Job job, SequencedMap<String, Place> card, JobEvent.ChildrenRequested asked) {
        var state = job.branches().get(asked.branch()).state();
        var place = card.get(state);
        if (place == null || !(place.step().work() instanceof Run run)) {
            throw wrong(job, "runs processes in " + state + ", which is no subprocess");
        }
        var number = values.of(job, run.reads());
        var expected =
                IntStream.range(0, run.isLoop() ? run.times() : 1)
                        .mapToObj(i -> input(number, i, run))
                        .toList();
        var inputs = asked.initialData().stream().map(values::of).toList();
        if (number.isEmpty()
                || !inputs.equals(expected)
                || !asked.spec().blueprint().equals(run.card())) {
            throw wrong(
                    job,
                    "is to run "
                            + run.card()
                            + " with "
                            + expected
                            + ", and runs "
                            + asked.spec().blueprint()
                            + " with "
                            + inputs);
        }
    }

    private static JsonObject input(Optional<JsonValue> number, int index, Run run) {
        var input = JsonObject.builder();
        number.ifPresent(value -> input.put(RandomCard.NUMBER, value));
        if (run.isLoop()) {
            input.put("index", JsonNumber.of((long) index));
        }
        return input.build();
    }

    /// What its children have brought.
    private void done(Job job, SequencedMap<String, Place> card, int branch, JobData changes) {
        var at = job.branches().get(branch);
        var place = card.get(at.state().replaceFirst("\\.gathered$", ""));
        if (!at.state().endsWith(".gathered")
                || place == null
                || !(place.step().work() instanceof Run run)
                || !(at.doing() instanceof Branch.Stepping(var _, var cause, int _))
                || !(cause instanceof StepCause.ChildrenJoined(int first, int count))) {
            return;
        }
        var results = new ArrayList<JsonValue>();
        for (var number = first; number < first + count; number++) {
            if (job.children().children().get(number).state()
                    instanceof Child.Ended(var _, int _, var result)) {
                results.add(
                        values.of(result) instanceof JsonObject report
                                ? report.get("result").orElse(JsonNull.NULL)
                                : JsonNull.NULL);
            }
        }
        var brought = values.of(changes);
        var expected =
                JsonObject.of(place.step().variable(), CardValues.gathered(results, run.isLoop()));
        if (!brought.equals(expected)) {
            throw wrong(job, "receives " + expected + " of others, and keeps " + brought);
        }
    }

    private void opened(Job job, TaskSpec spec) {
        var seen = ((JsonObject) values.of(spec.params())).get(CardText.SEEN);
        if (seen.isPresent() && !seen.get().equals(values.of(job.spec().initialData()))) {
            throw wrong(
                    job,
                    "shows its workers "
                            + seen.get()
                            + ", and was started with "
                            + job.spec().initialData());
        }
    }
}
