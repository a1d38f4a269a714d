package dev.artel.testkit.sim;

import dev.artel.kernel.store.Append;

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
    static int tryAll(Draft draft, long seed) {
        var undisturbed = new Play(draft, seed, NEVER).run();
        var count = 0;
        for (var i = 1; i <= undisturbed.appends().size(); i++) {
            for (var afterwards : new boolean[] {false, true}) {
                count++;
                new CrashPoint(i, afterwards).compare(draft, seed, undisturbed);
            }
        }
        return count;
    }

    private void compare(Draft draft, long seed, Play.Played undisturbed) {
        var name =
                draft.blueprint().name()
                        + ": an orchestrator that is killed "
                        + (afterwards ? "after" : "before")
                        + " append "
                        + append
                        + " of "
                        + undisturbed.appends().size()
                        + " "
                        + text(undisturbed.appends().get(append - 1));
        Play.Played killed;
        try {
            killed = new Play(draft, seed, this).run();
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
