package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.guard.Guards;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A blueprint that is being written as states. Each name is written once: a state is declared, then led to and defined by its
/// reference. What leads where is known when the blueprint is built, since the code of states only gives values.
///
/// ```java
/// var b = Blueprint.states(GREETING);
/// var done = b.state("done");
/// b.start("greet").call(GREET, step -> step.input()).then(done);
/// b.in(done).finish(step -> step.result(GREET));
/// return b.build();
/// ```
///
/// Not safe for use by many threads.
///
/// @param <I> what a job is submitted with
/// @param <O> what a finished job has as its result
public final class States<I, O> {
    /// The name of the last decision of a person in the job's data.
    static final String APPROVAL = "approval";

    private final BlueprintType<I, O> type;
    private final dev.artel.kernel.blueprint.Blueprint.Builder definition;
    private final List<String> problems = new ArrayList<>();
    private final SequencedMap<String, StateRef> declared = new LinkedHashMap<>();
    private final SequencedMap<String, StateDraft<I, ?>> drafts = new LinkedHashMap<>();
    private final SequencedSet<StateRef> begun = new LinkedHashSet<>();
    private final SequencedMap<String, Object> kept = new LinkedHashMap<>();
    private final Joins joins = new Joins();
    private JobGuards guards = new JobGuards(Guards.DEFAULTS);
    private @Nullable StateRef start;

    States(BlueprintType<I, O> type) {
        this.type = type;
        this.definition = dev.artel.kernel.blueprint.Blueprint.named(type.name());
    }

    BlueprintType<I, O> type() {
        return type;
    }

    /// Says which version this is; `1` by default.
    public States<I, O> version(String text) {
        definition.version(text);
        return this;
    }

    /// Says what keeps its jobs from going on forever: `guards(it -> it.withTransitions(500))`.
    public States<I, O> guards(UnaryOperator<JobGuards> change) {
        guards = change.apply(guards);
        return this;
    }

    /// Says what each of its jobs may spend: `budget(it -> it.withUsd("5.00"))`. Who submits one may allow less.
    public States<I, O> budget(UnaryOperator<JobBudget> limits) {
        definition.budget(limits.apply(JobBudget.NONE).kernel());
        return this;
    }

    /// Adds a store of values that all of its jobs share, in all versions.
    public States<I, O> dataStore(String name) {
        definition.dataStore(name);
        return this;
    }

    /// Adds a store that has `values` before the first job: each member is the value of a key.
    public States<I, O> dataStore(String name, JsonObject values) {
        definition.dataStore(name, values);
        return this;
    }

    /// Declares the state `name`, to be led to before or after [#in] defines it.
    public StateRef state(String name) {
        var ref = new StateRef(this, name);
        if (declared.putIfAbsent(name, ref) != null) {
            refuse("state '" + name + "' is declared twice; take the reference of the first one");
        }
        return ref;
    }

    /// Says that a cancel leads to `state`, wherever the job is, once its workers and children have given up; what happens there decides
    /// how the job ends. A further cancel ends it.
    public States<I, O> onCancel(StateRef state) {
        if (!state.isOf(this)) {
            refuse(
                    "a cancel leads to state '"
                            + state
                            + "' of another blueprint; take a state of this one");
        }
        definition.onCancel(state.name());
        return this;
    }

    /// Declares and begins to define the state `name`, in which jobs begin.
    public StateBuilder<I, O> start(String name) {
        return start(state(name));
    }

    /// Begins to define the state in which jobs begin.
    public StateBuilder<I, O> start(StateRef state) {
        if (start != null) {
            refuse("jobs begin in state '" + start + "' and in '" + state + "'; keep one start");
        }
        start = state;
        return in(state);
    }

    /// Begins to define `state`.
    public StateBuilder<I, O> in(StateRef state) {
        if (!state.isOf(this)) {
            refuse("state '" + state + "' is of another blueprint; take a state of this one");
        }
        if (!begun.add(state)) {
            refuse("state '" + state + "' is defined twice; define it once");
        }
        return new StateBuilder<>(this, state);
    }

    /// Declares and defines the state `name`, in which jobs end, well, with a result.
    public StateRef finish(String name, StepFunction<I, O> result) {
        var ref = state(name);
        var _ = in(ref).finish(result);
        return ref;
    }

    /// Declares and defines the state `name`, in which jobs end, badly.
    public StateRef fail(String name, String reason) {
        return fail(name, _ -> reason);
    }

    /// Declares and defines the state `name`, in which jobs end, badly.
    public StateRef fail(String name, StepFunction<I, String> reason) {
        var ref = state(name);
        var _ = in(ref).fail(reason);
        return ref;
    }

    /// Declares and defines the state `name`, in which branches end, well.
    public StateRef endBranch(String name) {
        var ref = state(name);
        var _ = in(ref).endBranch();
        return ref;
    }

    /// Declares and defines two states that compensate what `state` did as `by` does, and end their branch.
    StateRef compensation(StateRef state, ResultCompensation<?, ?> by) {
        var compensated = state(state + "_compensated");
        var compensation = state(state + "_compensation");
        begun.add(compensated);
        begun.add(compensation);
        var _ =
                define(new CustomState<>(this, compensated, step -> by.end(step.kernel())))
                        .afterCommit();
        var _ =
                define(
                                new CustomState<>(
                                        this,
                                        compensation,
                                        step -> by.begin(step.kernel(), compensated.name())))
                        .afterCommit()
                        .leadsTo(compensated);
        return compensation;
    }

    <S extends StateDraft<I, ?>> S define(S draft) {
        if (drafts.putIfAbsent(draft.state.name(), draft) != null) {
            refuse("state '" + draft.state + "' does two things; give each a state of its own");
        }
        return draft;
    }

    void refuse(String problem) {
        problems.add(problem);
    }

    void joins(StateRef state, Object joined) {
        joins.add(state, joined);
    }

    /// Notes that the job's data have `what` under `name`, and adds a problem if they have something else there.
    void keep(String name, String what, Object valueType, List<String> to) {
        var before = kept.putIfAbsent(name, valueType);
        if (name.equals(APPROVAL) || (before != null && !before.equals(valueType))) {
            to.add(
                    "keeps "
                            + what
                            + " as '"
                            + name
                            + "', which is the name of another value"
                            + (before == null ? "" : " (" + before + ")")
                            + "; give one of them another name, with as(name)");
        }
    }

    /// The name of a state that [StateDraft#problems] has found to be there.
    static String named(@Nullable StateRef state) {
        if (state == null) {
            throw new IllegalStateException("a state that leads nowhere was built");
        }
        return state.name();
    }

    /// The blueprint.
    ///
    /// @throws IllegalArgumentException with all problems, if there are any
    public Blueprint build() {
        problems.forEach(definition::refuse);
        definition.guards(guards.kernel()).result(type.output().type());
        if (type.input().type().isRecord()) {
            definition.initialData(type.input().type().asSubclass(Record.class));
        }
        for (var ref : declared.values()) {
            var draft = drafts.get(ref.name());
            if (draft == null) {
                definition.refuse(
                        "state '"
                                + ref
                                + "' is declared and nothing happens in it; define it with in("
                                + ref
                                + "), or remove it");
                definition.end(ref.name());
            } else {
                write(ref, draft);
            }
        }
        return new Blueprint(definition.build());
    }

    private void write(StateRef ref, StateDraft<I, ?> draft) {
        draft.problems().forEach(problem -> definition.refuse("state '" + ref + "' " + problem));
        var input = type.input();
        StepHandler handler =
                step -> {
                    try {
                        return draft.action(new Step<>(step, input, joins));
                    } catch (RunFailed failed) {
                        return Action.fail(String.valueOf(failed.getMessage()));
                    }
                };
        if (ref == start) {
            definition.start(ref.name(), handler);
        } else {
            definition.state(ref.name(), handler);
        }
        draft.write(definition);
    }
}
