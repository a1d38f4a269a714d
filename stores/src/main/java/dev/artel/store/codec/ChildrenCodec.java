package dev.artel.store.codec;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The form of what jobs know of other jobs, and of what limits them.
final class ChildrenCodec {
    /// What is left out. Part of the format.
    private static final Guards LEFT_OUT =
            new Guards(
                    10_000,
                    new RetryPolicy(4, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2),
                    Duration.ofMinutes(10),
                    1_000_000,
                    1_000,
                    10,
                    Duration.ofHours(1));

    private ChildrenCodec() {}

    static void writeGuards(Guards guards, JsonOut out) throws IOException {
        if (guards.equals(LEFT_OUT)) {
            return;
        }
        out.begin("guards");
        switch (guards) {
            case Guards(
                            var transitions,
                            var retry,
                            var handlerTime,
                            var history,
                            var treeSteps,
                            var treeDepth,
                            var compensationTimeout) -> {
                out.number("transitions", transitions);
                TaskCodec.writeRetry(retry, out);
                out.duration("handlerTime", handlerTime);
                out.number("history", history);
                out.number("treeSteps", treeSteps);
                out.number("treeDepth", treeDepth);
                if (!compensationTimeout.equals(LEFT_OUT.compensationTimeout())) {
                    out.duration("compensationTimeout", compensationTimeout);
                }
            }
        }
        out.end();
    }

    static Guards readGuards(JsonIn in) throws IOException {
        if (!in.beginIfThere("guards")) {
            return LEFT_OUT;
        }
        var guards =
                new Guards(
                        in.integer("transitions"),
                        TaskCodec.readRetry(in),
                        in.duration("handlerTime"),
                        in.integer("history"),
                        in.integer("treeSteps"),
                        in.integer("treeDepth"),
                        in.optionalDuration("compensationTimeout")
                                .orElse(LEFT_OUT.compensationTimeout()));
        in.end();
        return guards;
    }

    static void writeParentLink(Optional<ParentLink> parentLink, JsonOut out) throws IOException {
        if (parentLink.isEmpty()) {
            return;
        }
        out.begin("parent_link");
        switch (parentLink.get()) {
            case ParentLink(
                            var parent,
                            var start,
                            var child,
                            var root,
                            var path,
                            var steps,
                            var depth,
                            var mode) -> {
                out.text("parent", parent.value());
                out.effect("start", start);
                out.number("child", child);
                out.text("root", root.value());
                out.texts("path", path);
                out.number("steps", steps);
                out.number("depth", depth);
                out.text("mode", word(mode));
            }
        }
        out.end();
    }

    static Optional<ParentLink> readParentLink(JsonIn in) throws IOException {
        if (!in.beginIfThere("parent_link")) {
            return Optional.empty();
        }
        var parentLink =
                new ParentLink(
                        new JobId(in.text("parent")),
                        in.effect("start"),
                        in.integer("child"),
                        new JobId(in.text("root")),
                        in.texts("path"),
                        in.integer("steps"),
                        in.integer("depth"),
                        readMode(in));
        in.end();
        return Optional.of(parentLink);
    }

    private static String word(ChildMode mode) {
        return switch (mode) {
            case AWAITED -> "awaited";
            case AWAITED_UNLESS_QUARANTINED -> "awaitedUnlessQuarantined";
            case DETACHED -> "detached";
        };
    }

    private static ChildMode readMode(JsonIn in) throws IOException {
        var word = in.text("mode");
        return switch (word) {
            case "awaited" -> ChildMode.AWAITED;
            case "awaitedUnlessQuarantined" -> ChildMode.AWAITED_UNLESS_QUARANTINED;
            case "detached" -> ChildMode.DETACHED;
            default -> throw in.found("mode \"" + word + "\"", "what is wanted of a child");
        };
    }

    static void writeSpec(String name, ChildSpec spec, JsonOut out) throws IOException {
        out.begin(name);
        switch (spec) {
            case ChildSpec(
                            var blueprint,
                            var version,
                            var initial,
                            var labels,
                            var deadline,
                            var mode,
                            var as,
                            var budget) -> {
                out.text("blueprint", blueprint);
                out.text("version", version);
                JobCodec.writeValues("initial", initial, out);
                out.texts("labels", labels);
                out.instant("deadline", deadline);
                out.text("mode", word(mode));
                out.text("as", as);
                BudgetCodec.writeBudget(budget, out);
            }
        }
        out.end();
    }

    static ChildSpec readSpec(String name, JsonIn in) throws IOException {
        in.begin(name);
        var spec =
                new ChildSpec(
                        in.text("blueprint"),
                        in.optionalText("version"),
                        JobCodec.readValues("initial", in),
                        in.textsByName("labels"),
                        in.optionalInstant("deadline"),
                        readMode(in),
                        in.text("as"),
                        BudgetCodec.readBudget(in));
        in.end();
        return spec;
    }

    /// What each of many children begins with.
    static void writeEach(String name, List<JobData> initialData, JsonOut out) throws IOException {
        out.beginArray(name);
        for (var data : initialData) {
            out.begin();
            JobCodec.writeValues("initial", data, out);
            out.end();
        }
        out.endArray();
    }

    static List<JobData> readEach(String name, JsonIn in) throws IOException {
        in.beginArray(name);
        var initialData = new ArrayList<JobData>();
        while (in.beginNext()) {
            initialData.add(JobCodec.readValues("initial", in));
            in.end();
        }
        return initialData;
    }

    static void writeReport(String name, ChildReport report, JsonOut out) throws IOException {
        out.begin(name);
        switch (report) {
            case ChildReport(var outcome, var data, var steps, var reason, var spent) -> {
                out.text("outcome", outcome);
                out.payload("data", data);
                out.number("steps", steps);
                out.text("reason", reason);
                BudgetCodec.writeSpending("spent", spent, out);
            }
        }
        out.end();
    }

    static ChildReport readReport(String name, JsonIn in) throws IOException {
        in.begin(name);
        var report =
                new ChildReport(
                        in.text("outcome"),
                        in.payload("data"),
                        in.integer("steps"),
                        in.optionalText("reason"),
                        BudgetCodec.readSpending("spent", in));
        in.end();
        return report;
    }

    static void writeRuns(Action.RunBlueprints runs, JsonOut out) throws IOException {
        switch (runs) {
            case Action.RunBlueprints(
                            var each,
                            var initialData,
                            var window,
                            var policy,
                            var join,
                            var otherwise,
                            var _) -> {
                out.begin("run");
                writeRun(each, out);
                JobCodec.writeValues("changes", each.changes(), out);
                out.end();
                writeEach("each", initialData, out);
                out.number("window", window);
                JobCodec.writePolicy("policy", policy, out);
                out.text("join", join);
                out.text("otherwise", otherwise);
            }
        }
    }

    static Action.RunBlueprints readRuns(JsonIn in) throws IOException {
        in.begin("run");
        var each = readRun(in);
        in.end();
        return new Action.RunBlueprints(
                each,
                readEach("each", in),
                in.integer("window"),
                JobCodec.readPolicy("policy", in),
                in.text("join"),
                in.optionalText("otherwise"),
                JobCodec.readValues("changes", in));
    }

    static void writeRun(Action.RunBlueprint run, JsonOut out) throws IOException {
        switch (run) {
            case Action.RunBlueprint(
                            var blueprint,
                            var version,
                            var initial,
                            var labels,
                            var within,
                            var steps,
                            var as,
                            var mode,
                            var on,
                            var budget,
                            var _) -> {
                out.text("blueprint", blueprint);
                out.text("version", version);
                JobCodec.writeValues("initial", initial, out);
                out.texts("labels", labels);
                out.duration("within", within);
                if (steps.isPresent()) {
                    out.number("steps", steps.get());
                }
                out.text("as", as);
                out.text("mode", word(mode));
                JobCodec.writeOutcomes("on", on, out);
                BudgetCodec.writeBudget(budget, out);
            }
        }
    }

    static Action.RunBlueprint readRun(JsonIn in) throws IOException {
        return new Action.RunBlueprint(
                in.text("blueprint"),
                in.optionalText("version"),
                JobCodec.readValues("initial", in),
                in.textsByName("labels"),
                in.optionalDuration("within"),
                in.isNext("steps") ? Optional.of(in.integer("steps")) : Optional.empty(),
                in.text("as"),
                readMode(in),
                JobCodec.readOutcomes("on", in),
                BudgetCodec.readBudget(in),
                JobCodec.readValues("changes", in));
    }
}
