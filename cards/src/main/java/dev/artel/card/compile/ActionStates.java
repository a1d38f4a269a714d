package dev.artel.card.compile;

import dev.artel.card.step.CardStep;
import dev.artel.card.step.QualityCheck;
import dev.artel.card.step.StepCompensation;
import dev.artel.card.template.Expansion;
import dev.artel.card.template.TemplateScope;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;

/// The states of a step that has a worker do something: the task, the judgement of its output, and its compensation.
final class ActionStates {
    private static final String SUCCESS = "success";
    private static final String CONTEXT = "context";

    private final StateDrafts drafts;
    private final StepStates steps;
    private final CardStep.CallAction step;
    private final StepStates.Place place;
    private final String id;

    ActionStates(
            StateDrafts drafts,
            StepStates steps,
            CardStep.CallAction step,
            StepStates.Place place) {
        this.drafts = drafts;
        this.steps = steps;
        this.step = step;
        this.place = place;
        this.id = step.id();
    }

    void add() {
        var failed = steps.failure(id, step.onFailure(), place, id);
        var next = step.quality().map(check -> quality(check, failed)).orElse(place.after());
        var compensation = step.compensation().map(this::compensation);
        var leadsTo = new ArrayList<String>();
        leadsTo.add(next);
        leadsTo.add(failed);
        compensation.ifPresent(leadsTo::add);
        drafts.pure(
                id,
                steps.handler(
                        id,
                        failed,
                        view -> {
                            var task =
                                    spec(step.action(), params(view))
                                            .withLimits(step.limits())
                                            .demanding(demand ->
                                                    demand.with(step.requirements())
                                                            .withSecrets(
                                                                    step.params().secretsIn(view)))
                                            .withResultAs(StepOutputs.nameOf(step));
                            var action =
                                    Action.dispatch(
                                            task,
                                            Outcomes.on(SUCCESS, next)
                                                    .and(Outcomes.FAILED, failed));
                            return compensation.map(action::compensatedBy).orElse(action);
                        }),
                leadsTo.toArray(String[]::new));
    }

    private static TaskSpec spec(String action, JsonObject params) {
        return new TaskSpec(action, Payload.of(params), TaskLimits.DEFAULTS, Demand.NONE);
    }

    /// With what was wrong the last time, if it is done again.
    private JsonObject params(StepView view) {
        var params = (JsonObject) step.params().in(view);
        return view.step()
                .data()
                .object(feedbackName())
                .map(feedback -> {
                    var context =
                            params.object(CONTEXT)
                                    .orElse(JsonObject.EMPTY)
                                    .with("feedback", feedback);
                    return params.with(CONTEXT, context);
                })
                .orElse(params);
    }

    private String feedbackName() {
        return id + ".feedback";
    }

    private String roundName() {
        return id + ".round";
    }

    /// @return the state that has the output judged
    private String quality(QualityCheck check, String failed) {
        var judging = id + ".quality";
        var verdict = id + ".verdict";
        drafts.pure(
                judging,
                steps.handler(
                        id,
                        failed,
                        view -> {
                            var params =
                                    JsonObject.builder()
                                            .put("action", step.action())
                                            .put(
                                                    "output",
                                                    view.step()
                                                            .data()
                                                            .get(StepOutputs.nameOf(step))
                                                            .orElse(JsonNull.NULL))
                                            .put("criteria", criteria(check, view))
                                            .put(
                                                    "thresholds",
                                                    JsonObject.of(
                                                            "pass",
                                                            JsonNumber.of(check.pass()),
                                                            "marginal",
                                                            JsonNumber.of(check.marginal())))
                                            .build();
                            return Action.dispatch(
                                    spec(check.action(), params)
                                            .withExecutionTimeout(check.timeout())
                                            .withResultAs(judging),
                                    Outcomes.on(SUCCESS, verdict).and(Outcomes.FAILED, failed));
                        }),
                verdict,
                failed);
        drafts.pure(
                verdict, state -> judged(state, check, judging, failed), id, place.after(), failed);
        return judging;
    }

    private static JsonArray criteria(QualityCheck check, TemplateScope scope) {
        var expansion = new Expansion();
        return new JsonArray(
                check.criteria().stream()
                        .map(each ->
                                (JsonValue)
                                        JsonObject.builder()
                                                .put("name", each.name())
                                                .put(
                                                        "description",
                                                        each.description().in(scope, expansion))
                                                .put("weight", JsonNumber.of(each.weight()))
                                                .build())
                        .toList());
    }

    private Action judged(Step state, QualityCheck check, String judging, String failed) {
        var judgement = state.data().object(judging).orElse(JsonObject.EMPTY);
        var score = judgement.number("score").map(JsonNumber::asDouble);
        var round = state.data().number(roundName()).map(JsonNumber::asLong).orElse(1L);
        if (score.isEmpty()) {
            return failedWith(
                    StepFailure.INVALID_ARGUMENT,
                    "action '"
                            + check.action()
                            + "' judged its output and returned no number 'score'; it returned "
                            + judgement.names(),
                    failed);
        }
        var isGood = score.get() >= check.pass();
        var isAccepted = score.get() >= check.marginal();
        var isLast = round >= check.mostRounds();
        if (isGood || (isAccepted && (isLast || !check.retryOnMarginal()))) {
            return Action.transitionTo(place.after())
                    .with(
                            JsonObject.builder()
                                    .put(roundName(), 1)
                                    .put(feedbackName(), JsonNull.NULL)
                                    .build());
        }
        if (isLast) {
            return failedWith(
                    StepFailure.FAILED_PRECONDITION,
                    "its output is not good enough after "
                            + round
                            + " rounds: the score is "
                            + score.get()
                            + ", "
                            + check.marginal()
                            + " is needed",
                    failed);
        }
        var feedback =
                JsonObject.builder()
                        .put("attempt", round)
                        .put("previous_score", JsonNumber.of(score.get()))
                        .put("feedback", judgement.get("feedback").orElse(JsonObject.EMPTY))
                        .put("suggestions", judgement.get("suggestions").orElse(JsonArray.EMPTY))
                        .build();
        return Action.transitionTo(id)
                .with(
                        JsonObject.builder()
                                .put(roundName(), round + 1)
                                .put(feedbackName(), feedback)
                                .build());
    }

    private Action failedWith(String code, String message, String failed) {
        return Action.transitionTo(failed)
                .with(
                        new StepFailure(id, code, message)
                                .inData(id)
                                .merge(
                                        JsonObject.builder()
                                                .put(roundName(), 1)
                                                .put(feedbackName(), JsonNull.NULL)
                                                .build()));
    }

    /// @return the state that compensates the step
    private String compensation(StepCompensation by) {
        var compensating = id + ".compensation";
        var compensated = id + ".compensated";
        // It reads what the task has brought, which is not ahead.
        drafts.state(
                compensating,
                state -> {
                    var view = steps.view(state, id);
                    var done =
                            state.past()
                                    .compensating()
                                    .map(it -> state.past().task(it.firstTask()));
                    TemplateScope scope =
                            done.orElse(null) instanceof TaskResult.Succeeded result
                                            && step.output().isPresent()
                                    ? view.with(step.output().get(), result.data())
                                    : view;
                    return Action.dispatch(
                            spec(by.action(), (JsonObject) by.params().in(scope))
                                    .demanding(demand ->
                                            demand.withSecrets(by.params().secretsIn(scope)))
                                    .withExecutionTimeout(by.timeout())
                                    .withResultAs(compensating),
                            Outcomes.on(SUCCESS, compensated));
                },
                compensated);
        drafts.pure(compensated, _ -> Action.endBranch());
        return compensating;
    }
}
