package dev.artel.server.reload;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// What came of reading again.
///
/// @param changed what is in force now and was not before
/// @param unchanged what is as it was
/// @param needsRestart settings and jars that are not what the orchestrator was started with, and that it takes up with
///     its next start
/// @param problems what cannot be used, each in a sentence; of that, what was in force stays so
public record ReloadReport(
        List<String> changed,
        List<String> unchanged,
        List<String> needsRestart,
        List<String> problems) {
    /// Copies the lists.
    public ReloadReport {
        changed = List.copyOf(changed);
        unchanged = List.copyOf(unchanged);
        needsRestart = List.copyOf(needsRestart);
        problems = List.copyOf(problems);
    }

    /// The same as JSON.
    public JsonObject toJson() {
        return JsonObject.builder()
                .put("changed", JsonArray.ofStrings(changed))
                .put("unchanged", JsonArray.ofStrings(unchanged))
                .put("needs_restart", JsonArray.ofStrings(needsRestart))
                .put("problems", JsonArray.ofStrings(problems))
                .build();
    }

    /// In one line, for the audit.
    public String line() {
        var line = "changed " + changed;
        line += needsRestart.isEmpty() ? "" : ", needs a restart " + needsRestart;
        return line + (problems.isEmpty() ? "" : ", wrong " + problems);
    }

    /// A report that is being written. For one thread.
    public static final class Draft {
        private final List<String> changed = new ArrayList<>();
        private final List<String> unchanged = new ArrayList<>();
        private final List<String> needsRestart = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();

        /// An empty one.
        public Draft() {}

        /// `what` is in force now.
        public void changed(String what) {
            changed.add(what);
        }

        /// `what` was read, and either is as it was or is in force now.
        public void read(String what, boolean isChanged) {
            (isChanged ? changed : unchanged).add(what);
        }

        /// `what` is taken up with the next start.
        public void needsRestart(String what) {
            needsRestart.add(what);
        }

        /// Something cannot be used.
        public void wrong(List<String> why) {
            problems.addAll(why);
        }

        /// What was written.
        public ReloadReport done() {
            return new ReloadReport(changed, unchanged, needsRestart, problems);
        }
    }
}
