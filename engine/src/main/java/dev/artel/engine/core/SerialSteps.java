package dev.artel.engine.core;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which steps of a job are held because the handler of a serial state runs for one branch at a time: of those that are pending at
/// once, the oldest runs, and the others are held until it has ended. That follows from the job alone, so nothing is remembered.
public final class SerialSteps {
    private SerialSteps() {}

    /// Whether `step`, which is pending in `job`, is held.
    public static boolean holds(Job job, Effect.RunStep step, Definitions definitions) {
        return isSerial(job, step.state(), definitions)
                && first(job, definitions).filter(step.id()::equals).isEmpty();
    }

    /// All of `pending` of `job` without the steps that are held.
    static List<Effect> admitted(Job job, List<Effect> pending, Definitions definitions) {
        return isConcerned(job, pending, definitions)
                ? without(job, pending, definitions)
                : pending;
    }

    /// What of `asked` may begin at this commit of `job`, and the step that was held until something of `ended` was over.
    static List<Effect> admitted(
            Job job, List<Effect> asked, List<Effect> ended, Definitions definitions) {
        if (!isConcerned(job, asked, definitions) && !isConcerned(job, ended, definitions)) {
            return asked;
        }
        var admitted = without(job, asked, definitions);
        oldest(job, definitions)
                .filter(next ->
                        ended.stream().anyMatch(over -> isBefore(job, over, next, definitions)))
                .filter(next -> admitted.stream().noneMatch(one -> one.id().equals(next.id())))
                .ifPresent(admitted::add);
        return admitted;
    }

    private static boolean isBefore(
            Job job, Effect over, Effect.RunStep next, Definitions definitions) {
        return over instanceof Effect.RunStep step
                && isSerial(job, step.state(), definitions)
                && step.id().compareTo(next.id()) < 0;
    }

    private static boolean isConcerned(Job job, List<Effect> effects, Definitions definitions) {
        for (var effect : effects) {
            if (effect instanceof Effect.RunStep step && isSerial(job, step.state(), definitions)) {
                return true;
            }
        }
        return false;
    }

    private static List<Effect> without(Job job, List<Effect> effects, Definitions definitions) {
        var first = first(job, definitions);
        var left = new ArrayList<Effect>(effects.size());
        for (var effect : effects) {
            if (!(effect instanceof Effect.RunStep step)
                    || !isSerial(job, step.state(), definitions)
                    || first.filter(step.id()::equals).isPresent()) {
                left.add(effect);
            }
        }
        return left;
    }

    private static boolean isSerial(Job job, String state, Definitions definitions) {
        return definitions.isSerial(job.spec().blueprint(), state);
    }

    private static Optional<EffectId> first(Job job, Definitions definitions) {
        return oldest(job, definitions).map(Effect.RunStep::id);
    }

    private static Optional<Effect.RunStep> oldest(Job job, Definitions definitions) {
        var found = Optional.<Effect.RunStep>empty();
        if (!job.goesOn()) {
            return found;
        }
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.Stepping(var run, var cause, int failures)
                    && isSerial(job, branch.state(), definitions)
                    && (found.isEmpty() || run.compareTo(found.get().id()) < 0)) {
                found =
                        Optional.of(
                                new Effect.RunStep(
                                        run, branch.id(), branch.state(), cause, failures + 1));
            }
        }
        return found;
    }
}
