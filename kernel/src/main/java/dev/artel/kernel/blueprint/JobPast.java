package dev.artel.kernel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.TaskResult;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;

/// What a step can read of its job beyond its data. Each call reads anew, and may wait for the store; nothing of it changes while the
/// step runs. Safe for use by many threads.
public interface JobPast {
    /// Where nothing is kept: no step has set anything, and the job has just begun.
    JobPast NONE =
            new JobPast() {
                @Override
                public boolean isAhead() {
                    return false;
                }

                @Override
                public StepCause cause() {
                    return new StepCause.Started();
                }

                @Override
                public Optional<StepCause> causeOf(int branch) {
                    return Optional.empty();
                }

                @Override
                public JsonObject dataFor(int branch, StepCause cause) {
                    return JsonObject.EMPTY;
                }

                @Override
                public Optional<Place> place() {
                    return Optional.empty();
                }

                @Override
                public void forEach(String name, Consumer<JsonValue> value) {
                    // there is none
                }

                @Override
                public Optional<Compensating> compensating() {
                    return Optional.empty();
                }

                @Override
                public TaskResult task(int number) {
                    throw new IllegalArgumentException("there is no task " + number);
                }

                @Override
                public SequencedSet<Integer> handedOut(int first, int count) {
                    return new LinkedHashSet<>();
                }

                @Override
                public ChildResult child(int number) {
                    throw new IllegalArgumentException("there is no child " + number);
                }
            };

    /// Whether the handler of a pure state runs before what led to the state is durable: then [#forEach] and [#causeOf] do not see that. A
    /// handler that needs it throws [NotAhead].
    boolean isAhead();

    /// Why the state was entered. Where a person has let the job go on because the handler had failed, it is why the state was entered
    /// before that.
    StepCause cause();

    /// Why `branch` entered the state in which its handler failed, if that was the last of it.
    Optional<StepCause> causeOf(int branch);

    /// The data of the job as the handler of `branch` sees them that runs because of `cause`.
    JsonObject dataFor(int branch, StepCause cause);

    /// Where the branch of the step belongs; empty for the main line.
    Optional<Place> place();

    /// Gives each value that a step of this run of the job has set under `name`, oldest first, also those that were replaced
    /// since or that belong to what a person has taken back.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    void forEach(String name, Consumer<JsonValue> value);

    /// What the step compensates; empty for any other step.
    Optional<Compensating> compensating();

    /// How task `number` of this run of the job ended.
    TaskResult task(int number);

    /// Those of `count` tasks of this run of the job, from number `first` on, that workers were given and have not returned unstarted.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    SequencedSet<Integer> handedOut(int first, int count);

    /// How child `number` of this run of the job ended.
    ChildResult child(int number);

    /// The place of a branch.
    ///
    /// @param parent the line that forked it
    /// @param index its place in the fork, from 0
    record Place(int parent, int index) {}

    /// What a step compensates.
    ///
    /// @param subject which of several things, in words of the blueprint
    /// @param firstTask the number of the first of its tasks, if it was tasks
    /// @param firstChild the number of the first of its children, if it was children
    record Compensating(Optional<String> subject, int firstTask, int firstChild) {}
}
