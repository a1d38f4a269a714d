package dev.artel.card.step;

import dev.artel.card.template.Template;
import dev.artel.card.template.ValuePath;
import dev.artel.kernel.placement.Requirements;
import dev.artel.kernel.task.TaskLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// One step of a card.
public sealed interface CardStep {
    /// What all steps have.
    StepHead head();

    /// Its name in the card.
    default String id() {
        return head().id();
    }

    /// Has a worker do something.
    ///
    /// @param action the type of the task
    /// @param output the variable that receives the result
    /// @param requirements what the worker must offer beside the action
    /// @param limits how often and how long it is tried
    record CallAction(
            StepHead head,
            String action,
            Template params,
            Optional<String> output,
            TaskLimits limits,
            OnFailure onFailure,
            Requirements requirements,
            Optional<QualityCheck> quality,
            Optional<StepCompensation> compensation)
            implements CardStep {}

    /// Goes one way or the other.
    ///
    /// @param text as it is written
    /// @param cel the same in CEL
    /// @param paths all that it refers to
    /// @param then the step that follows where it holds
    /// @param otherwise the step that follows where it does not; empty: the next one
    record Decide(
            StepHead head,
            String text,
            String cel,
            List<ValuePath> paths,
            StepTarget then,
            Optional<StepTarget> otherwise)
            implements CardStep {
        /// Copies `paths`.
        public Decide {
            paths = List.copyOf(paths);
        }
    }

    /// Ends the process.
    record Complete(StepHead head, CompleteStatus status, Optional<Template> result)
            implements CardStep {}

    /// Goes on with another card, which the process brings along.
    ///
    /// @param card its text, or the card as a value
    /// @param rights what that card may do
    record Replan(StepHead head, Template card, ReplanRights rights, OnFailure onFailure)
            implements CardStep {}

    /// Waits for a time.
    record Pause(StepHead head, Template duration) implements CardStep {}

    /// Waits for a signal.
    ///
    /// @param output the variable that receives its payload
    record AwaitEvent(
            StepHead head,
            String event,
            Optional<String> output,
            Optional<Duration> timeout,
            OnFailure onTimeout)
            implements CardStep {}

    /// Waits for a person.
    ///
    /// @param output the variable that receives the decision
    record AskHuman(
            StepHead head,
            Template message,
            Optional<String> output,
            Optional<Duration> timeout,
            OnFailure onTimeout,
            OnFailure onReject)
            implements CardStep {}

    /// Runs several lists of steps at the same time.
    ///
    /// @param required how many must succeed; empty: all
    /// @param output the variable that receives what each brings, by the name of its last step
    record Together(
            StepHead head,
            List<List<CardStep>> branches,
            OptionalInt required,
            Optional<String> output,
            OnFailure onFailure)
            implements CardStep {
        /// Copies `branches`.
        public Together {
            branches = branches.stream().map(List::copyOf).toList();
        }
    }

    /// Runs another card as a process of its own, once or several times.
    ///
    /// @param blueprint what it runs
    /// @param version of it; empty: the newest
    /// @param isInner whether it is written inside this card, and has its version
    /// @param inputs all that it sees, by name
    /// @param output the variable that receives its result, or the results in their order
    record RunCard(
            StepHead head,
            String blueprint,
            Optional<String> version,
            boolean isInner,
            SequencedMap<String, Template> inputs,
            Optional<String> output,
            Optional<Duration> timeout,
            OnFailure onFailure,
            Optional<CardLoop> loop)
            implements CardStep {}
}
