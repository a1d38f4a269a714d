package dev.artel.simulation;

import dev.artel.kernel.store.Append;
import dev.artel.simulation.disk.SimulatedStore;
import dev.artel.simulation.world.SimulationFailure;

/// When the orchestrator is killed.
///
/// @param append at which append, from 1; 0: at none
/// @param afterwards whether that is durable by then, though nobody knows yet
record CrashPoint(int append, boolean afterwards) {
    static final CrashPoint NEVER = new CrashPoint(0, false);

    void arm(SimulatedStore store) {
        store.killAt(append, afterwards);
    }

    /// See [ArtelSimulation#killedAtEachAppend].
    static int tryAll(BlueprintDraft blueprintDraft, long seed) {
        var undisturbed = new ScriptedRun(blueprintDraft, seed, NEVER).run();
        var count = 0;
        for (var i = 1; i <= undisturbed.appends().size(); i++) {
            for (var afterwards : new boolean[] {false, true}) {
                count++;
                new CrashPoint(i, afterwards).compare(blueprintDraft, seed, undisturbed);
            }
        }
        return count;
    }

    private void compare(BlueprintDraft blueprintDraft, long seed, ScriptedRun.Played undisturbed) {
        var name =
                blueprintDraft.blueprint().name()
                        + ": an orchestrator that is killed "
                        + (afterwards ? "after" : "before")
                        + " append "
                        + append
                        + " of "
                        + undisturbed.appends().size()
                        + " "
                        + text(undisturbed.appends().get(append - 1));
        ScriptedRun.Played killed;
        try {
            killed = new ScriptedRun(blueprintDraft, seed, this).run();
        } catch (SimulationFailure failure) {
            throw new AssertionError(name + " breaks a promise: " + failure.getMessage(), failure);
        }
        if (!killed.summary().equals(undisturbed.summary())) {
            throw new AssertionError(
                    name
                            + " makes a difference:\n  undisturbed "
                            + String.join("\n              ", undisturbed.summary())
                            + "\n  killed      "
                            + String.join("\n              ", killed.summary())
                            + "\n"
                            + killed.job());
        }
    }

    private static String text(Append append) {
        return append.events().stream().map(event -> event.getClass().getSimpleName()).toList()
                + " of "
                + append.row().id();
    }
}
