package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.job.Outcomes;
import java.util.List;
import java.util.function.UnaryOperator;

/// A state that starts a job of another blueprint, which then lives by itself, and goes on when it has begun.
public final class StartJob<I, C> extends StateDraft<I, StartJob<I, C>>
        implements StartOptions<StartJob<I, C>> {
    private final BlueprintType<C, ?> type;
    private final StepFunction<I, C> input;
    private final Settings<I> settings = new Settings<>();
    private UnaryOperator<RunBlueprint> options = UnaryOperator.identity();
    private Outcomes outcomes = Outcomes.NONE;

    StartJob(
            States<I, ?> states,
            StateRef state,
            BlueprintType<C, ?> type,
            StepFunction<I, C> input) {
        super(states, state);
        this.type = type;
        this.input = input;
    }

    @Override
    public StartJob<I, C> with(JobSetting setting) {
        var before = options;
        options = run -> setting.of(before.apply(run));
        return this;
    }

    /// Sets `variable` in the data of the job that starts the other one.
    public <T> StartJob<I, C> set(Variable<T> variable, StepFunction<I, T> value) {
        settings.add(variable, value);
        return this;
    }

    /// Goes to `next` when it has begun.
    public StartJob<I, C> then(StateRef next) {
        outcomes = outcomes.and(Outcomes.STARTED, leadsTo(next).name());
        return this;
    }

    /// Goes to `next` when it cannot begin; the job fails by default.
    public StartJob<I, C> otherwise(StateRef next) {
        outcomes = outcomes.and(Outcomes.FAILED, leadsTo(next).name());
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        var started = outcomes.after(Outcomes.STARTED).orElseThrow();
        var data = (JsonObject) type.input().write(input.of(step));
        var start = options.apply(Action.startBlueprint(type.name(), data, started));
        return outcomes.after(Outcomes.FAILED)
                .map(start::otherwise)
                .orElse(start)
                .with(settings.of(step));
    }

    @Override
    List<String> problems() {
        var problems = none();
        if (outcomes.after(Outcomes.STARTED).isEmpty()) {
            problems.add(
                    "starts a job of blueprint '" + type + "' and leads nowhere; add then(state)");
        }
        settings.keep(states, problems);
        return problems;
    }

    @Override
    StartJob<I, C> self() {
        return this;
    }
}
