package dev.artel.kernel.job;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Finds the commands that matter for a failure.
final class Shrinking {
    private Shrinking() {}

    /// `commands` without those that can be dropped one by one, so that `property` still fails.
    static List<JobCommand> shrink(List<JobCommand> commands, Consumer<List<JobCommand>> property) {
        var smallest = commands;
        for (var i = smallest.size() - 1; i >= 0; i--) {
            if (i < smallest.size()) {
                var fewer = new ArrayList<>(smallest);
                fewer.remove(i);
                if (fails(fewer, property)) {
                    smallest = fewer;
                }
            }
        }
        return smallest;
    }

    private static boolean fails(List<JobCommand> commands, Consumer<List<JobCommand>> property) {
        try {
            property.accept(commands);
            return false;
        } catch (AssertionError | RuntimeException failure) {
            return true;
        }
    }
}
