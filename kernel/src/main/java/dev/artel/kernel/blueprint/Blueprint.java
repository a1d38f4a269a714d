package dev.artel.kernel.blueprint;

import dev.artel.kernel.job.BlueprintRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

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
public final class Blueprint {
    private final String name;
    private final String version;
    private final SequencedMap<String, State> states;

    private Blueprint(String name, String version, SequencedMap<String, State> states) {
        this.name = name;
        this.version = version;
        this.states = Collections.unmodifiableSequencedMap(states);
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

    /// The name that jobs keep of this definition.
    public BlueprintRef ref() {
        return new BlueprintRef(name, version, Graph.digest(states.values()));
    }

    /// Writes a definition down. Not safe for use by many threads.
    public static final class Builder {
        private final String name;
        private final List<State> states = new ArrayList<>();
        private String version = "1";

        private Builder(String name) {
            this.name = name;
        }

        /// Says which version this is.
        public Builder version(String text) {
            version = text;
            return this;
        }

        /// Adds the state in which jobs begin.
        public Builder start(String state, StepHandler handler) {
            states.add(new State(state, true, List.of(), Optional.of(handler), false));
            return this;
        }

        /// Adds a state.
        public Builder state(String state, StepHandler handler) {
            states.add(new State(state, false, List.of(), Optional.of(handler), false));
            return this;
        }

        /// Says to which states the state before may lead, by whatever action; none: it ends its strand.
        public Builder leadingTo(String... next) {
            if (states.isEmpty()) {
                throw new IllegalStateException(
                        "blueprint '"
                                + name
                                + "': leadingTo says where a state leads; add the state first");
            }
            var last = states.removeLast();
            states.add(
                    new State(
                            last.name(),
                            last.start(),
                            List.of(next),
                            last.handler(),
                            last.failed()));
            return this;
        }

        /// Adds a state in which the job has finished.
        public Builder end(String state) {
            states.add(new State(state, false, List.of(), Optional.empty(), false));
            return this;
        }

        /// Adds a state in which the job has failed.
        public Builder failedEnd(String state) {
            states.add(new State(state, false, List.of(), Optional.empty(), true));
            return this;
        }

        /// The definition.
        ///
        /// @throws InvalidBlueprint with all problems, if there are any
        public Blueprint build() {
            var problems = Graph.problems(name, states);
            if (!problems.isEmpty()) {
                throw new InvalidBlueprint(name, problems);
            }
            var byName = new LinkedHashMap<String, State>();
            states.forEach(state -> byName.put(state.name(), state));
            return new Blueprint(name, version, byName);
        }
    }
}
