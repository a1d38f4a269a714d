package dev.artel.card.compile;

import dev.artel.card.CardProblem;
import dev.artel.card.read.CardDurations;
import dev.artel.card.read.CardProblems;
import dev.artel.card.read.CardReader;
import dev.artel.card.read.CardRoom;
import dev.artel.card.read.CardSecrets;
import dev.artel.card.read.CardVariables;
import dev.artel.card.step.CardLoop;
import dev.artel.card.step.CardStep;
import dev.artel.card.step.OnFailure;
import dev.artel.card.template.Expansion;
import dev.artel.card.template.Template;
import dev.artel.card.template.TemplateScope;
import dev.artel.card.template.TooLargeExpansion;
import dev.artel.card.template.UnresolvedTemplate;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.Condition;
import dev.artel.kernel.blueprint.ConditionFailed;
import dev.artel.kernel.blueprint.Replacement;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.ParameterMeter;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TimeLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// The states of single steps.
final class StepStates {
    /// What a person chooses who lets a process go on.
    static final String APPROVE = "approve";

    /// What a person chooses who does not.
    static final String REJECT = "reject";

    private static final String RETRY = "retry";
    private static final String CONTINUE = "continue";
    private static final String ABORT = "abort";
    private static final int LONGEST_MESSAGE = 4_000;
    private static final int LONGEST_VALUE = 60;
    private static final int LONGEST_TIME = 200;

    private final StateDrafts drafts;
    private final SequencedMap<String, JsonValue> variables;
    private final String version;

    /// @param variables the values with which they begin
    /// @param version of the card
    StepStates(StateDrafts drafts, SequencedMap<String, JsonValue> variables, String version) {
        this.drafts = drafts;
        this.variables = variables;
        this.version = version;
    }

    /// Where a step stands.
    ///
    /// @param after the state that follows it
    /// @param isBranch whether it is in a branch, which fails alone
    record Place(String after, boolean isBranch) {}

    /// What a step does, with what it sees.
    interface Doing {
        Action in(StepView view);
    }

    StepView view(Step step, String id) {
        return new StepView(step, id, variables);
    }

    /// A handler of step `id`; a reference to what is not there is a failure of the step, after which `failed` follows.
    StepHandler handler(String id, String failed, Doing doing) {
        return step -> {
            try {
                return doing.in(view(step, id));
            } catch (UnresolvedTemplate | UnfitValue missing) {
                return failed(
                        id,
                        StepFailure.INVALID_ARGUMENT,
                        String.valueOf(missing.getMessage()),
                        failed);
            } catch (TooLargeExpansion tooLarge) {
                return failed(
                        id,
                        StepFailure.RESOURCE_EXHAUSTED,
                        String.valueOf(tooLarge.getMessage()),
                        failed);
            }
        };
    }

    private static Action failed(String id, String code, String message, String state) {
        return Action.transitionTo(state).with(new StepFailure(id, code, message).inData(id));
    }

    /// A value that a card cannot use.
    static final class UnfitValue extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnfitValue(String message) {
            super(message, null, false, false);
        }
    }

    /// The state that follows when step `id` has failed; adds it where there is none yet.
    String failure(String id, OnFailure onFailure, Place place, String again) {
        var failed = id + ".failed";
        drafts.pure(
                failed,
                step -> {
                    var failure = StepFailure.of(step, id);
                    return place.isBranch()
                            ? Action.failBranch(failure.toString()).with(failure.inData(id))
                            : Action.fail(failure.toString());
                });
        return switch (onFailure) {
            case ABORT -> failed;
            case CONTINUE -> place.after();
            case ESCALATE -> {
                var escalated = id + ".escalated";
                drafts.pure(
                        escalated,
                        step -> {
                            var failure = StepFailure.of(step, id);
                            return Action.awaitApproval(
                                            shortened(
                                                    failure
                                                            + "; try again, go on without it, or end the process?"),
                                            Outcomes.on(RETRY, again)
                                                    .and(CONTINUE, place.after())
                                                    .and(ABORT, failed))
                                    .with(failure.inData(id));
                        },
                        again,
                        place.after(),
                        failed);
                yield escalated;
            }
        };
    }

    /// The text of `template`, of which no more is made than is kept.
    private static String message(Template template, TemplateScope scope) {
        return shortened(template.textIn(scope, LONGEST_MESSAGE + 1));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_MESSAGE
                ? text
                : text.substring(0, LONGEST_MESSAGE - 3) + "...";
    }

    /// A state that copies something of the data into a variable.
    private String copied(String name, Optional<String> output, String from, String after) {
        if (output.isEmpty()) {
            return after;
        }
        drafts.pure(
                name,
                step ->
                        Action.transitionTo(after)
                                .with(
                                        JsonObject.of(
                                                output.get(),
                                                step.data().get(from).orElse(JsonNull.NULL))),
                after);
        return name;
    }

    void decide(
            CardStep.Decide step, Condition condition, String then, String otherwise, Place place) {
        var id = step.id();
        var failed = failure(id, OnFailure.ABORT, place, id);
        drafts.pure(
                id,
                handler(
                        id,
                        failed,
                        view -> {
                            try {
                                return Action.transitionTo(
                                        condition.holds(view.forCondition()) ? then : otherwise);
                            } catch (ConditionFailed undecided) {
                                step.paths().forEach(path -> path.in(view));
                                throw new UnfitValue(
                                        "the condition \""
                                                + step.text()
                                                + "\" cannot be decided: the types of its values do not fit, "
                                                + values(step, view));
                            }
                        }),
                then,
                otherwise,
                failed);
    }

    private static String values(CardStep.Decide step, TemplateScope scope) {
        var values = new ArrayList<String>();
        for (var path : step.paths()) {
            var text = Template.json(path.in(scope), LONGEST_VALUE + 1);
            values.add(
                    path
                            + " is "
                            + (text.length() <= LONGEST_VALUE
                                    ? text
                                    : text.substring(0, LONGEST_VALUE - 3) + "..."));
        }
        return String.join(", ", values);
    }

    void complete(CardStep.Complete step, Place place) {
        var id = step.id();
        var failed = failure(id, OnFailure.ABORT, place, id);
        drafts.pure(
                id,
                handler(
                        id,
                        failed,
                        view -> {
                            var outcome =
                                    switch (step.status()) {
                                        case SUCCESS ->
                                                new JobOutcome.Finished(
                                                        Payload.of(
                                                                step.result()
                                                                        .map(it -> it.in(view))
                                                                        .orElse(JsonObject.EMPTY)));
                                        case FAILURE ->
                                                new JobOutcome.Failed(
                                                        reason(step, view, "as a failure"));
                                        case CANCELLED ->
                                                new JobOutcome.Cancelled(
                                                        reason(step, view, "as cancelled"));
                                    };
                            return new Action.Finish(outcome, JobData.EMPTY);
                        }),
                failed);
    }

    private static String reason(CardStep.Complete step, TemplateScope scope, String how) {
        return "step '"
                + step.id()
                + "' ended the process "
                + how
                + step.result().map(result -> ": " + message(result, scope)).orElse("");
    }

    /// What is wrong with the card is a failure of the step; so the engine is only asked to keep cards that can be run.
    void replan(CardStep.Replan step, Place place) {
        var id = step.id();
        var failed = failure(id, step.onFailure(), place, id);
        drafts.state(
                id,
                handler(
                        id,
                        failed,
                        view -> {
                            var most = Replacement.MOST_CHARACTERS;
                            var text = step.card().textIn(view, most + 1);
                            if (text.length() > most) {
                                throw new UnfitValue(
                                        "the card of the plan has more than "
                                                + most
                                                + " characters");
                            }
                            try (var _ = CardRoom.take(text)) {
                                checkPlan(step, text);
                            }
                            return Action.replaceDefinition(text);
                        }),
                failed);
    }

    /// @throws UnfitValue if `text` is no card, or one with which a job may not go on after `step`
    private static void checkPlan(CardStep.Replan step, String text) {
        var problems = new CardProblems();
        var parsed = CardReader.read(text, problems);
        parsed.ifPresent(card -> CardMemory.checkForeign(card, problems));
        if (parsed.isPresent() && !problems.hasErrors()) {
            var _ = CardCompiler.compile(parsed.get(), parsed.get().version(), problems);
        }
        if (problems.hasErrors()) {
            throw new UnfitValue(
                    "the card of the plan cannot be run:\n"
                            + problems.inOrder().stream()
                                    .map(CardProblem::toString)
                                    .collect(Collectors.joining("\n")));
        }
        var secrets = CardSecrets.of(parsed.orElseThrow());
        if (!secrets.isEmpty()) {
            throw new UnfitValue(
                    "the card of the plan names secrets ("
                            + String.join(", ", secrets)
                            + "), and only cards that an operator takes up may; have it run one of"
                            + " those as a subprocess");
        }
        var notAllowed = ReplanCheck.problems(step, parsed.orElseThrow());
        if (!notAllowed.isEmpty()) {
            throw new UnfitValue(
                    "the card of the plan may not do all of that:\n"
                            + String.join("\n", notAllowed));
        }
    }

    void pause(CardStep.Pause step, Place place) {
        var id = step.id();
        var failed = failure(id, OnFailure.ABORT, place, id);
        drafts.pure(
                id,
                handler(
                        id,
                        failed,
                        view -> {
                            var text = step.duration().textIn(view, LONGEST_TIME);
                            return CardDurations.read(text)
                                    .filter(time -> time.compareTo(TimeLimits.LONGEST) <= 0)
                                    .<Action>map(time -> Action.waitFor(time, place.after()))
                                    .orElseThrow(() ->
                                            new UnfitValue(
                                                    "'"
                                                            + text
                                                            + "' is no time up to 36500 days; write 5s, 10m or 24h"));
                        }),
                place.after(),
                failed);
    }

    void awaitEvent(CardStep.AwaitEvent step, Place place) {
        var id = step.id();
        var next = copied(id + ".received", step.output(), step.event(), place.after());
        var late = failure(id, step.onTimeout(), place, id);
        drafts.pure(
                id,
                _ -> {
                    var wait = Action.awaitSignal(step.event(), next);
                    return step.timeout().isPresent()
                            ? wait.within(step.timeout().get(), late)
                            : wait;
                },
                next,
                late);
    }

    void askHuman(CardStep.AskHuman step, Place place) {
        var id = step.id();
        var next = copied(id + ".decided", step.output(), "approval", place.after());
        var rejected = failure(id, step.onReject(), place, id);
        var late = failure(id, step.onTimeout(), place, id);
        var failed = failure(id, OnFailure.ABORT, place, id);
        drafts.pure(
                id,
                handler(
                        id,
                        failed,
                        view -> {
                            var question =
                                    new Action.AwaitApproval(
                                            message(step.message(), view),
                                            Approvers.ANYBODY,
                                            Outcomes.on(APPROVE, next).and(REJECT, rejected),
                                            Optional.empty(),
                                            Optional.empty(),
                                            JobData.EMPTY);
                            return step.timeout().isPresent()
                                    ? question.within(step.timeout().get(), late)
                                    : question;
                        }),
                next,
                rejected,
                late,
                failed);
    }

    /// Forks into `branches`.
    ///
    /// @param starts the first state of each branch
    /// @param required how many must succeed; empty: all
    void fork(
            String id,
            List<String> starts,
            Optional<Integer> required,
            String join,
            String failed) {
        var next = new ArrayList<>(starts);
        next.add(join);
        next.add(failed);
        drafts.pure(
                id,
                _ ->
                        Action.fork(starts, join)
                                .withPolicy(
                                        required.<JoinPolicy>map(JoinPolicy::atLeast)
                                                .orElse(JoinPolicy.FAIL_FAST))
                                .otherwise(failed),
                next.toArray(String[]::new));
    }

    /// Gathers what the branches of `step` have brought, by the names of their last steps.
    String gathered(CardStep.Together step, String after) {
        if (step.output().isEmpty()) {
            return after;
        }
        var name = step.id() + ".joined";
        drafts.pure(
                name,
                state -> {
                    var results = JsonObject.builder();
                    for (var branch : step.branches()) {
                        var last = branch.getLast();
                        state.data()
                                .get(StepOutputs.nameOf(last))
                                .ifPresent(value -> results.put(last.id(), value));
                    }
                    return Action.transitionTo(after)
                            .with(JsonObject.of(step.output().get(), results.build()));
                },
                after);
        return name;
    }

    void run(CardStep.RunCard step, Place place) {
        var id = step.id();
        var failed = failure(id, step.onFailure(), place, id);
        var gathered = id + ".gathered";
        drafts.pure(
                id,
                handler(id, failed, view -> children(step, view, gathered).otherwise(failed)),
                gathered,
                failed);
        // It reads the results of children, which only the step has that follows their end: a job
        // that a person takes back to it, that is forked off there, or that is
        // released after a failure of it, has none, and runs them again.
        drafts.state(
                gathered,
                state -> {
                    if (!(state.past().cause()
                                    instanceof StepCause.ChildrenJoined(int _, int count))
                            || state.children().size() != count) {
                        return Action.transitionTo(id);
                    }
                    var results = state.children().stream().map(StepStates::result).toList();
                    return Action.transitionTo(place.after())
                            .with(
                                    JsonObject.of(
                                            StepOutputs.nameOf(step),
                                            step.loop().isPresent()
                                                    ? new JsonArray(results)
                                                    : results.getFirst()));
                },
                place.after(),
                id);
    }

    private static JsonValue result(ChildResult child) {
        return child.result().orElse(JsonNull.NULL);
    }

    private Action.RunBlueprints children(CardStep.RunCard step, StepView view, String join) {
        var inputs = new ArrayList<JsonObject>();
        if (step.loop().isEmpty()) {
            inputs.add(inputs(step, view));
        } else {
            var runs = runs(step.loop().get(), view);
            for (var run : runs) {
                var input = inputs(step, view.with(CardVariables.LOOP, run));
                ParameterMeter.count(input);
                inputs.add(input);
            }
        }
        var wanted = step.isInner() ? Optional.of(version) : step.version();
        return Action.runBlueprints(step.blueprint(), inputs, join)
                .withWindow(step.loop().map(CardLoop::atOnce).orElse(1))
                .withPolicy(JoinPolicy.FAIL_FAST)
                .each(child -> {
                    var limited = step.timeout().map(child::within).orElse(child);
                    return wanted.map(limited::withVersion)
                            .orElse(limited)
                            .failingWhenQuarantined();
                });
    }

    private static JsonObject inputs(CardStep.RunCard step, TemplateScope scope) {
        return new Template.Members(new LinkedHashMap<>(step.inputs())).in(scope, new Expansion());
    }

    private static List<JsonObject> runs(CardLoop loop, TemplateScope scope) {
        var times = loop.times().in(scope);
        var runs = new ArrayList<JsonObject>();
        switch (times) {
            case JsonArray items when items.size() <= Action.RunBlueprints.MAX_CHILDREN -> {
                for (var item : items) {
                    runs.add(
                            JsonObject.builder()
                                    .put("index", runs.size())
                                    .put("item", item)
                                    .build());
                }
            }
            case JsonNumber count
                    when count.isLong()
                            && count.asLong() >= 0
                            && count.asLong() <= Action.RunBlueprints.MAX_CHILDREN -> {
                for (var i = 0L; i < count.asLong(); i++) {
                    runs.add(JsonObject.builder().put("index", i).build());
                }
            }
            default ->
                    throw new UnfitValue(
                            "a loop runs over a list of at most "
                                    + Action.RunBlueprints.MAX_CHILDREN
                                    + " values, or as many times, was "
                                    + (times instanceof JsonArray items
                                            ? "a list of " + items.size()
                                            : shortened(
                                                    Template.json(times, LONGEST_MESSAGE + 1))));
        }
        return runs;
    }
}
