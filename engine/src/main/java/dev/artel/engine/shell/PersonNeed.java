package dev.artel.engine.shell;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
        if (!mayHaveSome(job)) {
            return List.of();
        }
        var needs = new ArrayList<PersonNeed>();
        for (var effect : Jobs.pending(job)) {
            switch (effect) {
                case Effect.AwaitOperator open -> needs.add(of(job, Kind.QUARANTINE, NONE, open));
                case Effect.AwaitApproval open -> needs.add(of(job, Kind.APPROVAL, NONE, open));
                case Effect.AwaitAnswer open ->
                        needs.add(of(job, Kind.QUESTION, open.task(), open));
                case Effect.AwaitResolution open ->
                        needs.add(of(job, Kind.IN_DOUBT, open.task(), open));
                case Effect.AwaitExtension open -> needs.add(of(job, Kind.BUDGET, NONE, open));
                case Effect.RunStep _,
                        Effect.Indexed _,
                        Effect.CrossJob _,
                        Effect.CallWebhook _,
                        Effect.AwaitResume _,
                        Effect.AwaitSignal _ -> {
                    // no person is waited for
                }
            }
        }
        return List.copyOf(needs);
    }

    private static PersonNeed of(Job job, Kind kind, int task, Effect effect) {
        return new PersonNeed(
                job.id(),
                kind,
                effect.id().event(),
                task,
                job.spec().blueprint().name(),
                job.spec().client());
    }

    /// To find out what is pending takes longer than this look, and most jobs wait for no person.
    private static boolean mayHaveSome(Job job) {
        if (job.isFinal()) {
            return false;
        }
        if (job.phase() instanceof Job.Quarantined
                || job.budget().flatMap(BudgetLedger::asking).isPresent()) {
            return true;
        }
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.AwaitingApproval) {
                return true;
            }
        }
        for (var task : job.tasks()) {
            if (task.state() instanceof Task.Doubtful || task.asked().isPresent()) {
                return true;
            }
        }
        return false;
    }
}
