package dev.artel.kernel.guard;

import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.rules.Counts;
import java.util.ArrayList;
import java.util.List;

/// How much a job has used up of something that it may have only so much of.
///
/// @param guard `transitions`, `history`, `tree_steps`, `tasks`, `children`, `signals` or `names`
/// @param used so much
/// @param allowed of so much
public record GuardUse(String guard, long used, long allowed) {
    /// All that is bounded.
    public static final List<String> GUARDS =
            List.of(
                    "transitions",
                    "history",
                    "tree_steps",
                    "tasks",
                    "children",
                    "signals",
                    "names");

    /// Of what `job` has used up four fifths or more; empty once it is final. Steps that a parent has allotted are not looked at: those
    /// of the whole tree are, at the job whose blueprint allows them.
    public static List<GuardUse> nearlySpent(Job job) {
        if (job.isFinal()) {
            return List.of();
        }
        var near = new ArrayList<GuardUse>(0);
        var guards = job.spec().guards();
        add(near, "transitions", job.enteredSinceAllowed(), guards.transitions());
        add(near, "history", job.version() - job.guardBaseline().events(), guards.history());
        if (job.children().used() > 0 && !job.isAllotted()) {
            add(near, "tree_steps", job.entered() + job.children().used(), job.stepsAllowed());
        }
        add(near, "tasks", job.tasks().size(), Guards.MOST_TASKS);
        add(near, "children", job.children().children().size(), Guards.MOST_CHILDREN);
        add(near, "signals", job.signals().waiting().size(), Signals.MOST_WAITING);
        add(near, "names", job.data().size(), Guards.MOST_NAMES);
        return near;
    }

    private static void add(List<GuardUse> near, String guard, long used, long allowed) {
        if (used * 5 >= allowed * 4) {
            near.add(new GuardUse(guard, used, allowed));
        }
    }

    /// How much of what, in words.
    public String text() {
        var share = Counts.of(used) + " of " + Counts.of(allowed);
        return switch (guard) {
            case "transitions" -> "it has entered " + share + " states that its blueprint allows";
            case "history" -> "it has " + share + " events that its blueprint allows";
            case "tree_steps" ->
                    "it and the children for which it waited have entered "
                            + share
                            + " states that its blueprint allows";
            case "tasks" -> "it has had " + share + " tasks that one run may have";
            case "children" -> "it has had " + share + " children that one run may have";
            case "names" -> "its data have " + share + " names that those of a job may have";
            default -> share + " signals wait that the job has not taken yet";
        };
    }

    /// What to do about it.
    public String advice() {
        return switch (guard) {
            case "transitions" ->
                    "let its loop continue as new (continueAsNew), or allow more in the guards of its"
                            + " blueprint (withTransitions); it is quarantined beyond";
            case "history" ->
                    "let its loop continue as new (continueAsNew), or allow more in the guards of its"
                            + " blueprint (withHistory); it is quarantined beyond";
            case "tree_steps" ->
                    "allow more in the guards of its blueprint (withTreeSteps), or let its loop continue"
                            + " as new (continueAsNew); it fails beyond";
            case "tasks", "children" ->
                    "let its loop continue as new (continueAsNew), which begins to count anew; it is"
                            + " quarantined beyond";
            case "names" ->
                    "put what belongs together under one name, or let its loop continue as new"
                            + " (continueAsNew) with what it still needs; it is quarantined beyond";
            default -> "let its blueprint wait for them, or send fewer; more are refused";
        };
    }
}
