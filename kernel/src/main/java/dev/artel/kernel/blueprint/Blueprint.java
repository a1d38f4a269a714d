package dev.artel.kernel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.bind.Binding;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// The definition of a job as a set of states.
///
/// ```java
/// var greeting = Blueprint.named("greeting")
///         .start("ask", step -> Action.dispatch(TaskSpec.of("greet", step.initialData()), Outcomes.on("success", "done")))
///         .leadingTo("done")
///         .end("done")
///         .build();
/// ```
///
/// Immutable; handlers must be safe for use by many threads.
public final class Blueprint implements BlueprintSource {
    private final String name;
    private final String version;
    private final SequencedMap<String, State> states;
    private final List<String> dataStores;
    private final SequencedMap<String, JsonObject> initialValues;
    private final Optional<Binding> initialData;
    private final Optional<Binding> result;
    private final Guards guards;
    private final Optional<Budget> budget;
    private final Optional<String> cancelState;
    private final BlueprintRef ref;
    private final SequencedMap<String, JsonObject> schedules;

    private Blueprint(Builder draft, SequencedMap<String, State> states) {
        this.name = draft.name;
        this.version = draft.version;
        this.dataStores = List.copyOf(draft.dataStores);
        this.initialValues =
                Collections.unmodifiableSequencedMap(new LinkedHashMap<>(draft.initialValues));
        this.initialData = Optional.ofNullable(draft.initialData);
        this.result = Optional.ofNullable(draft.result);
        this.guards = draft.guards;
        this.budget = Optional.ofNullable(draft.budget);
        this.cancelState = Optional.ofNullable(draft.cancelState);
        this.states = Collections.unmodifiableSequencedMap(states);
        this.ref = new BlueprintRef(name, version, Graph.digest(states.values()));
        this.schedules = Collections.unmodifiableSequencedMap(new LinkedHashMap<>());
    }

    private Blueprint(Blueprint other, SequencedMap<String, JsonObject> schedules) {
        this.name = other.name;
        this.version = other.version;
        this.dataStores = other.dataStores;
        this.initialValues = other.initialValues;
        this.initialData = other.initialData;
        this.result = other.result;
        this.guards = other.guards;
        this.budget = other.budget;
        this.cancelState = other.cancelState;
        this.states = other.states;
        this.ref = other.ref;
        this.schedules = Collections.unmodifiableSequencedMap(schedules);
    }

    /// A definition to be written down, of version `1`.
    public static Builder named(String name) {
        return new Builder(name);
    }

    /// The name under which jobs are submitted.
    public String name() {
        return name;
    }

    /// The author's word.
    public String version() {
        return version;
    }

    /// The states in the order in which they were written.
    public List<State> states() {
        return List.copyOf(states.values());
    }

    /// The state `name`.
    public Optional<State> state(String name) {
        return Optional.ofNullable(states.get(name));
    }

    /// Where jobs begin.
    public State start() {
        return states.values().stream().filter(State::start).findFirst().orElseThrow();
    }

    /// The names of its data stores.
    public List<String> dataStores() {
        return dataStores;
    }

    /// What data stores have before the first job, by store; each member is the value of a key.
    public SequencedMap<String, JsonObject> initialValues() {
        return initialValues;
    }

    /// What jobs must be submitted with; empty: anything.
    public Optional<Binding> initialData() {
        return initialData;
    }

    /// The shape of the results of finished jobs, as the author declared it; empty: anything. Published, not checked.
    public Optional<Binding> result() {
        return result;
    }

    /// This definition alone.
    @Override
    public List<Blueprint> blueprints() {
        return List.of(this);
    }

    /// What keeps its jobs from going on forever.
    public Guards guards() {
        return guards;
    }

    /// What its jobs may spend; empty: that is not counted.
    public Optional<Budget> budget() {
        return budget;
    }

    /// The state that handles a cancel; empty: a cancel ends the job.
    public Optional<String> cancelState() {
        return cancelState;
    }

    /// The name that jobs keep of this definition.
    public BlueprintRef ref() {
        return ref;
    }

    /// The schedules that its author has written beside it, by name, in the form of the file of schedules. The kernel carries them and
    /// knows nothing of them.
    public SequencedMap<String, JsonObject> schedules() {
        return schedules;
    }

    /// This definition with one more schedule, or with another one of that name.
    public Blueprint withSchedule(String schedule, JsonObject written) {
        var more = new LinkedHashMap<>(schedules);
        more.put(schedule, written);
        return new Blueprint(this, more);
    }

    @Override
    public String toString() {
        return name + " version " + version;
    }

    /// Writes a definition down. Not safe for use by many threads.
    public static final class Builder {
        private final String name;
        private final List<UnfinishedState> states = new ArrayList<>();
        private final List<String> dataStores = new ArrayList<>();
        private final SequencedMap<String, JsonObject> initialValues = new LinkedHashMap<>();
        private final List<String> problems = new ArrayList<>();
        private String version = "1";
        private @Nullable Binding initialData;
        private @Nullable Binding result;
        private Guards guards = Guards.DEFAULTS;
        private @Nullable Budget budget;
        private @Nullable String cancelState;

        private Builder(String name) {
            this.name = name;
        }

        /// Sets the version of the blueprint.
        public Builder version(String text) {
            version = text;
            return this;
        }

        /// Sets the shape of the initial data: what `type` has components for, and nothing else.
        public Builder initialData(Class<? extends Record> type) {
            try {
                initialData = Binding.strict(type);
            } catch (IllegalArgumentException impossible) {
                problems.add("initial data: " + impossible.getMessage());
            }
            return this;
        }

        /// Sets the shape of the results of finished jobs. Clients see it as a JSON Schema; nothing checks it.
        public Builder result(Class<?> type) {
            try {
                result = Binding.of(type);
            } catch (IllegalArgumentException impossible) {
                problems.add("result: " + impossible.getMessage());
            }
            return this;
        }

        /// Sets the limits that keep its jobs from going on forever.
        public Builder guards(Guards limits) {
            guards = limits;
            return this;
        }

        /// Sets what each of its jobs may spend. Who submits one may allow less, and so may the job that starts one as its child.
        public Builder budget(Budget most) {
            budget = most;
            return this;
        }

        /// Sets `state` as the one to which a cancel leads, wherever the job is: when its workers and children have given up, or the grace is over,
        /// all of its branches end and the main one enters that state. What the job does there decides how it ends; a further cancel
        /// ends it, as any cancel ends a quarantined job. A job that waits for a task whose outcome `cancelled` leads somewhere goes
        /// there instead.
        public Builder onCancel(String state) {
            cancelState = state;
            return this;
        }

        /// Adds a store of values that all of its jobs share, in all versions.
        public Builder dataStore(String store) {
            dataStores.add(store);
            return this;
        }

        /// Adds a store that has `values` before the first job: each member is the value of a key. A key is set once,
        /// whatever becomes of it later; one that a later version adds is set then.
        public Builder dataStore(String store, JsonObject values) {
            initialValues.put(store, values);
            return dataStore(store);
        }

        /// Adds the state in which jobs begin.
        public Builder start(String state, StepHandler handler) {
            states.add(UnfinishedState.start(state, handler));
            return this;
        }

        /// Adds the state in which jobs begin; [#when] and [#otherwise] define what happens in it.
        public Builder start(String state) {
            states.add(UnfinishedState.start(state, null));
            return this;
        }

        /// Adds a state.
        public Builder state(String state, StepHandler handler) {
            states.add(UnfinishedState.state(state, handler));
            return this;
        }

        /// Adds a state; [#when] and [#otherwise] define what happens in it.
        public Builder state(String state) {
            states.add(UnfinishedState.state(state, null));
            return this;
        }

        /// Adds what happens in the state before where `condition` holds. The first condition that holds decides, in
        /// the order in which they were written.
        ///
        /// @param condition such as `initial_data.amount > 100`; compiled by [Conditions#installed]
        public Builder when(String condition, StepHandler handler) {
            last("when sets what happens in a state").when(condition, handler);
            return this;
        }

        /// Sets what happens in the state before where none of its conditions holds.
        public Builder otherwise(StepHandler handler) {
            last("otherwise sets what happens in a state").otherwise(handler, problems);
            return this;
        }

        /// Sets the states to which the state before may lead, by whatever action; none: it ends its branch.
        public Builder leadingTo(String... next) {
            last("leadingTo sets where a state leads").leadingTo(List.of(next));
            return this;
        }

        /// Declares that the handler of the state before only computes: what it gives depends on its [Step] alone, and it
        /// has no other effect. It runs before what led to its state is durable, and its outcome is
        /// written together with that, which saves a write and the time that it takes. It may run for nothing, and
        /// has no data stores.
        public Builder pure() {
            last("pure sets how a state is handled").pure();
            return this;
        }

        /// Makes the handlers of the state before and of all other serial states run for one branch of a job at a time: the next
        /// one begins when the outcome of the one before is durable, or is to be written with its own, and sees it.
        public Builder serial() {
            last("serial sets how a state is handled").serial();
            return this;
        }

        /// Sets how often the handler of the state before is run again when it fails, instead of [Guards#handlerRetry].
        public Builder retry(RetryPolicy policy) {
            last("retry sets how a handler is run").retry(policy);
            return this;
        }

        /// Sets how long a run of the handler of the state before may take, instead of [Guards#handlerTime].
        public Builder handlerTime(Duration most) {
            last("handlerTime sets how a handler is run").handlerTime(most);
            return this;
        }

        /// Adds a state in which the job has finished.
        public Builder end(String state) {
            states.add(UnfinishedState.end(state, false));
            return this;
        }

        /// Adds a state in which the job has failed.
        public Builder failedEnd(String state) {
            states.add(UnfinishedState.end(state, true));
            return this;
        }

        /// Records a problem that the caller has found in the definition; [#build] reports it with the others.
        public Builder refuse(String problem) {
            problems.add(problem);
            return this;
        }

        private UnfinishedState last(String what) {
            if (states.isEmpty()) {
                throw new IllegalStateException(
                        "blueprint '" + name + "': " + what + "; add the state first");
            }
            return states.getLast();
        }

        /// The definition.
        ///
        /// @throws InvalidBlueprint with all problems, if there are any
        public Blueprint build() {
            var all = new ArrayList<>(problems);
            var written = states.stream().map(draft -> draft.state(all)).toList();
            all.addAll(
                    Graph.problems(
                            name, version, dataStores, written, Optional.ofNullable(cancelState)));
            if (!all.isEmpty()) {
                throw new InvalidBlueprint(name, all);
            }
            var byName = new LinkedHashMap<String, State>();
            written.forEach(state -> byName.put(state.name(), state));
            return new Blueprint(this, byName);
        }
    }
}
