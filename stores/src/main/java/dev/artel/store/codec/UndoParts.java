package dev.artel.store.codec;

import dev.artel.kernel.job.Compensation;
import dev.artel.kernel.job.Undo;
import java.io.IOException;

/// The form of how things are undone.
final class UndoParts {
    private UndoParts() {}

    static void writeCompensation(String name, Compensation by, JsonOut out) throws IOException {
        out.begin(name);
        switch (by) {
            case Compensation.ByTask(var task) -> {
                out.text("kind", "task");
                TaskParts.writeSpec("task", task, out);
            }
            case Compensation.ByState(var state) -> {
                out.text("kind", "state");
                out.text("state", state);
            }
        }
        out.end();
    }

    static Compensation readCompensation(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var by =
                switch (kind) {
                    case "task" -> new Compensation.ByTask(TaskParts.readSpec("task", in));
                    case "state" -> new Compensation.ByState(in.text("state"));
                    default -> throw in.found("kind \"" + kind + "\"", "how something is undone");
                };
        in.end();
        return by;
    }

    static void writeAim(Undo.Aim aim, JsonOut out) throws IOException {
        switch (aim) {
            case Undo.End(var outcome) -> JobParts.writeOutcome("outcome", outcome, out);
            case Undo.Back(var to, var by) -> {
                OutsideParts.writeVisit("back", to, out);
                out.text("by", by);
            }
        }
    }

    static Undo.Aim readAim(JsonIn in) throws IOException {
        return in.beginIfThere("back")
                ? new Undo.Back(OutsideParts.readVisit(in), in.text("by"))
                : new Undo.End(JobParts.readOutcome("outcome", in));
    }
}
