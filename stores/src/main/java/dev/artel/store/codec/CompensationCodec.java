package dev.artel.store.codec;

import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import java.io.IOException;

/// The form of how things are compensated.
final class CompensationCodec {
    private CompensationCodec() {}

    static void writeCompensation(String name, Compensation by, JsonOut out) throws IOException {
        out.begin(name);
        switch (by) {
            case Compensation.ByTask(var task) -> {
                out.text("kind", "task");
                TaskCodec.writeSpec("task", task, out);
            }
            case Compensation.ByState(var state, var subject) -> {
                out.text("kind", "state");
                out.text("state", state);
                out.text("subject", subject);
            }
        }
        out.end();
    }

    static Compensation readCompensation(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var by =
                switch (kind) {
                    case "task" -> new Compensation.ByTask(TaskCodec.readSpec("task", in));
                    case "state" ->
                            new Compensation.ByState(in.text("state"), in.optionalText("subject"));
                    default ->
                            throw in.found("kind \"" + kind + "\"", "how something is compensated");
                };
        in.end();
        return by;
    }

    static void writeAim(CompensationLog.Aim aim, JsonOut out) throws IOException {
        switch (aim) {
            case CompensationLog.End(var outcome) -> JobCodec.writeOutcome("outcome", outcome, out);
            case CompensationLog.Back(var to, var by) -> {
                WaitCodec.writeVisit("back", to, out);
                out.text("by", by);
            }
        }
    }

    static CompensationLog.Aim readAim(JsonIn in) throws IOException {
        return in.beginIfThere("back")
                ? new CompensationLog.Back(WaitCodec.readVisit(in), in.text("by"))
                : new CompensationLog.End(JobCodec.readOutcome("outcome", in));
    }
}
