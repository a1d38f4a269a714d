package dev.artel.engine.shell;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Something for which a job waits and that a person brings about.
///
/// @param number of the event by which the wait began, unique in its job: that by which people name an approval or a question
/// @param task of which task it is; -1: of none
/// @param blueprint the name of the definition
/// @param client who submitted the job
public record PersonNeed(
        JobId job, Kind kind, long number, int task, String blueprint, String client) {
    private static final int NONE = -1;

    /// What is to be done.
    public enum Kind {
        /// A quarantined job is to be recovered or given up.
        QUARANTINE,
        /// An approval is to be decided.
        APPROVAL,
        /// A question of a worker is to be answered.
        QUESTION,
        /// A person has to find out whether a task had its effect.
        IN_DOUBT,
        /// A budget is to be extended.
        BUDGET;

        /// The word on wires.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// All for which `job` waits at this moment.
    public static List<PersonNeed> of(Job job) {
        var needs = new ArrayList<>(apartFromTasks(job));
        if (job.phase() instanceof Job.Active) {
            for (var task : job.tasks()) {
                of(job, task).ifPresent(needs::add);
            }
        }
        return List.copyOf(needs);
    }

    /// Those of [#of(Job)] that are of no task. Takes no longer for a job with more tasks.
    public static List<PersonNeed> apartFromTasks(Job job) {
        var needs = new ArrayList<PersonNeed>(0);
        if (job.phase() instanceof Job.Quarantined(var _, var person)) {
            needs.add(of(job, Kind.QUARANTINE, NONE, person));
        }
        job.budget()
                .flatMap(BudgetLedger::asking)
                .ifPresent(asking -> needs.add(of(job, Kind.BUDGET, NONE, asking.effect())));
        if (job.phase() instanceof Job.Active) {
            for (var branch : job.branches()) {
                if (branch.doing() instanceof Branch.AwaitingApproval wait) {
                    needs.add(of(job, Kind.APPROVAL, NONE, wait.effect()));
                }
            }
        }
        return needs;
    }

    /// The one of [#of(Job)] that is of this task; also empty if there is no such task. Takes no longer for a job with more tasks.
    public static Optional<PersonNeed> of(Job job, int task) {
        return job.phase() instanceof Job.Active && task < job.tasks().size()
                ? of(job, job.tasks().get(task))
                : Optional.empty();
    }

    private static Optional<PersonNeed> of(Job job, Task task) {
        return task.state() instanceof Task.Doubtful doubt
                ? Optional.of(of(job, Kind.IN_DOUBT, task.id(), doubt.effect()))
                : task.asked().map(open -> of(job, Kind.QUESTION, task.id(), open.effect()));
    }

    private static PersonNeed of(Job job, Kind kind, int task, EffectId effect) {
        return new PersonNeed(
                job.id(),
                kind,
                effect.event(),
                task,
                job.spec().blueprint().name(),
                job.spec().client());
    }
}
