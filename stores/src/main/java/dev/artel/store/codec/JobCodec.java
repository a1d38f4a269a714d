package dev.artel.store.codec;

import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.timer.TimerKind;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// The form of what jobs are made of.
final class JobCodec {
    /// What the grace of a cancelled job is that was left out. Part of the format.
    private static final Duration CANCEL_GRACE_LEFT_OUT = Duration.ofSeconds(10);

    private JobCodec() {}

    static void writeSpec(String name, JobSpec spec, JsonOut out) throws IOException {
        out.begin(name);
        switch (spec) {
            case JobSpec(
                            var blueprint,
                            var start,
                            var client,
                            var initial,
                            var options,
                            var rules,
                            var clientPlan,
                            var guards,
                            var parentLink,
                            var cancelState,
                            var budget) -> {
                writeBlueprint("blueprint", blueprint, out);
                out.text("start", start);
                out.text("client", client);
                writeValues("initial", initial, out);
                writeOptions(options, out);
                out.number("rules", rules);
                writeTerms(clientPlan, out);
                ChildrenCodec.writeGuards(guards, out);
                ChildrenCodec.writeParentLink(parentLink, out);
                out.text("cancelState", cancelState);
                BudgetCodec.writeBudget(budget, out);
            }
        }
        out.end();
    }

    static JobSpec readSpec(String name, JsonIn in) throws IOException {
        in.begin(name);
        var spec =
                new JobSpec(
                        readBlueprint("blueprint", in),
                        in.text("start"),
                        in.text("client"),
                        readValues("initial", in),
                        readOptions(in),
                        readRules(in),
                        readTerms(in),
                        ChildrenCodec.readGuards(in),
                        ChildrenCodec.readParentLink(in),
                        in.optionalText("cancelState"),
                        BudgetCodec.readBudget(in));
        in.end();
        return spec;
    }

    /// Rules of a later version may have led to events that mean something else here.
    private static int readRules(JsonIn in) throws IOException {
        var rules = in.integer("rules");
        if (rules > JobSpec.CURRENT_RULES) {
            throw new IOException(
                    "the job was submitted under rules "
                            + rules
                            + ", and this Artel knows those up to "
                            + JobSpec.CURRENT_RULES);
        }
        return rules;
    }

    private static void writeTerms(ClientPlan clientPlan, JsonOut out) throws IOException {
        if (!clientPlan.equals(ClientPlan.UNKNOWN)) {
            out.begin("client_plan");
            out.text("plan", clientPlan.plan());
            out.value("params", clientPlan.params());
            out.end();
        }
    }

    private static ClientPlan readTerms(JsonIn in) throws IOException {
        if (!in.beginIfThere("client_plan")) {
            return ClientPlan.UNKNOWN;
        }
        var clientPlan = new ClientPlan(in.text("plan"), in.object("params"));
        in.end();
        return clientPlan;
    }

    static void writeValues(String name, JobData data, JsonOut out) throws IOException {
        out.payloads(name, data.values());
    }

    static JobData readValues(String name, JsonIn in) throws IOException {
        return in.isNext(name) ? new JobData(in.payloads(name)) : JobData.EMPTY;
    }

    static void writeOutcomes(String name, Outcomes outcomes, JsonOut out) throws IOException {
        out.texts(name, outcomes.states());
    }

    static Outcomes readOutcomes(String name, JsonIn in) throws IOException {
        return in.isNext(name) ? new Outcomes(in.textsByName(name)) : Outcomes.NONE;
    }

    static void writeOutcome(String name, JobOutcome outcome, JsonOut out) throws IOException {
        out.begin(name);
        switch (outcome) {
            case JobOutcome.Finished(var result) -> {
                out.text("kind", "finished");
                out.payload("result", result);
            }
            case JobOutcome.Failed(var reason) -> {
                out.text("kind", "failed");
                out.text("reason", reason);
            }
            case JobOutcome.Cancelled(var reason) -> {
                out.text("kind", "cancelled");
                out.text("reason", reason);
            }
        }
        out.end();
    }

    static JobOutcome readOutcome(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var outcome =
                switch (kind) {
                    case "finished" -> new JobOutcome.Finished(in.payload("result"));
                    case "failed" -> new JobOutcome.Failed(in.text("reason"));
                    case "cancelled" -> new JobOutcome.Cancelled(in.text("reason"));
                    default -> throw in.found("outcome \"" + kind + "\"", "a kind of outcome");
                };
        in.end();
        return outcome;
    }

    static void writePolicy(String name, JoinPolicy policy, JsonOut out) throws IOException {
        out.begin(name);
        switch (policy) {
            case JoinPolicy.All() -> out.text("kind", "all");
            case JoinPolicy.FailFast() -> out.text("kind", "failFast");
            case JoinPolicy.Settled() -> out.text("kind", "settled");
            case JoinPolicy.AtLeast(var required) -> {
                out.text("kind", "atLeast");
                out.number("required", required);
            }
        }
        out.end();
    }

    static JoinPolicy readPolicy(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var policy =
                switch (kind) {
                    case "all" -> JoinPolicy.ALL;
                    case "failFast" -> JoinPolicy.FAIL_FAST;
                    case "settled" -> JoinPolicy.SETTLED;
                    case "atLeast" -> JoinPolicy.atLeast(in.integer("required"));
                    default -> throw in.found("policy \"" + kind + "\"", "a kind of policy");
                };
        in.end();
        return policy;
    }

    static void writeCause(String name, StepCause cause, JsonOut out) throws IOException {
        out.begin(name);
        switch (cause) {
            case StepCause.Started() -> out.text("kind", "started");
            case StepCause.Moved(var from) -> {
                out.text("kind", "moved");
                out.text("from", from);
            }
            case StepCause.TaskEnded(var task, var outcome) -> {
                out.text("kind", "taskEnded");
                out.number("task", task);
                out.text("outcome", outcome);
            }
            case StepCause.SignalTaken(var signal, var id) -> {
                out.text("kind", "signalTaken");
                out.text("signal", signal);
                out.text("id", id);
            }
            case StepCause.Decided(var choice, var by) -> {
                out.text("kind", "decided");
                out.text("choice", choice);
                out.text("by", by);
            }
            case StepCause.Overdue(var awaited) -> {
                out.text("kind", "overdue");
                out.text("awaited", awaited);
            }
            case StepCause.Resolved(var how, var by) -> {
                out.text("kind", "resolved");
                out.text("how", how);
                out.text("by", by);
            }
            case StepCause.Cancelled(var reason) -> {
                out.text("kind", "cancelled");
                out.text("reason", reason);
            }
            case StepCause.TasksJoined(var first, var count) -> {
                out.text("kind", "tasksJoined");
                out.number("first", first);
                out.number("count", count);
            }
            case StepCause.Compensation(var number) -> {
                out.text("kind", "compensating");
                out.number("number", number);
            }
            case StepCause.ChildEnded(var child, var outcome) -> {
                out.text("kind", "childEnded");
                out.number("child", child);
                out.text("outcome", outcome);
            }
            case StepCause.ChildrenJoined(var first, var count) -> {
                out.text("kind", "childrenJoined");
                out.number("first", first);
                out.number("count", count);
            }
            case StepCause.BranchesJoined(var first, var count) -> {
                out.text("kind", "branchesJoined");
                out.number("first", first);
                out.number("count", count);
            }
        }
        out.end();
    }

    static StepCause readCause(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var cause =
                switch (kind) {
                    case "started" -> new StepCause.Started();
                    case "moved" -> new StepCause.Moved(in.text("from"));
                    case "taskEnded" ->
                            new StepCause.TaskEnded(in.integer("task"), in.text("outcome"));
                    case "signalTaken" ->
                            new StepCause.SignalTaken(in.text("signal"), in.text("id"));
                    case "decided" -> new StepCause.Decided(in.text("choice"), in.text("by"));
                    case "overdue" -> new StepCause.Overdue(in.text("awaited"));
                    case "resolved" -> new StepCause.Resolved(in.text("how"), in.text("by"));
                    case "cancelled" -> new StepCause.Cancelled(in.text("reason"));
                    case "tasksJoined" ->
                            new StepCause.TasksJoined(in.integer("first"), in.integer("count"));
                    case "compensating" -> new StepCause.Compensation(in.integer("number"));
                    case "childEnded" ->
                            new StepCause.ChildEnded(in.integer("child"), in.text("outcome"));
                    case "childrenJoined" ->
                            new StepCause.ChildrenJoined(in.integer("first"), in.integer("count"));
                    case "branchesJoined" ->
                            new StepCause.BranchesJoined(in.integer("first"), in.integer("count"));
                    default -> throw in.found("cause \"" + kind + "\"", "a kind of cause");
                };
        in.end();
        return cause;
    }

    static void writeTimerKind(String name, TimerKind timerKind, JsonOut out) throws IOException {
        out.begin(name);
        switch (timerKind) {
            case TimerKind.JobDeadline() -> out.text("kind", "jobDeadline");
            case TimerKind.CancelGrace() -> out.text("kind", "cancelGrace");
            case TimerKind.BranchTimer(var branch) -> {
                out.text("kind", "branchTimer");
                out.number("branch", branch);
            }
            case TimerKind.TaskTimer(var task) -> {
                out.text("kind", "taskTimer");
                out.number("task", task);
            }
        }
        out.end();
    }

    static TimerKind readTimerKind(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var timerKind =
                switch (kind) {
                    case "jobDeadline" -> new TimerKind.JobDeadline();
                    case "cancelGrace" -> new TimerKind.CancelGrace();
                    case "branchTimer" -> new TimerKind.BranchTimer(in.integer("branch"));
                    case "taskTimer" -> new TimerKind.TaskTimer(in.integer("task"));
                    default -> throw in.found("timer \"" + kind + "\"", "a kind of timer");
                };
        in.end();
        return timerKind;
    }

    static void writeBlueprint(String name, BlueprintRef blueprint, JsonOut out)
            throws IOException {
        out.begin(name);
        switch (blueprint) {
            case BlueprintRef(var alias, var version, var graph) -> {
                out.text("name", alias);
                out.text("version", version);
                out.text("graph", graph);
            }
        }
        out.end();
    }

    static BlueprintRef readBlueprint(String name, JsonIn in) throws IOException {
        in.begin(name);
        var blueprint = new BlueprintRef(in.text("name"), in.text("version"), in.text("graph"));
        in.end();
        return blueprint;
    }

    private static void writeOptions(JobOptions options, JsonOut out) throws IOException {
        out.begin("options");
        switch (options) {
            case JobOptions(
                            var priority,
                            var deadline,
                            var labels,
                            var requestDigest,
                            var cancelGrace,
                            var webhooks,
                            var trace,
                            var requestedBy) -> {
                if (Double.doubleToRawLongBits(priority) != 0) {
                    out.decimal("priority", priority);
                }
                out.instant("deadline", deadline);
                out.texts("labels", labels);
                out.text("requestDigest", requestDigest);
                if (!cancelGrace.equals(CANCEL_GRACE_LEFT_OUT)) {
                    out.duration("cancelGrace", cancelGrace);
                }
                WebhookCodec.write(webhooks, out);
                writeTrace(trace, out);
                out.texts("requestedBy", requestedBy);
            }
        }
        out.end();
    }

    private static JobOptions readOptions(JsonIn in) throws IOException {
        in.begin("options");
        var options =
                new JobOptions(
                        in.isNext("priority") ? in.decimal("priority") : 0,
                        in.optionalInstant("deadline"),
                        in.textsByName("labels"),
                        in.optionalText("requestDigest"),
                        in.optionalDuration("cancelGrace").orElse(CANCEL_GRACE_LEFT_OUT),
                        WebhookCodec.read(in),
                        readTrace(in),
                        in.texts("requestedBy"));
        in.end();
        return options;
    }

    private static void writeTrace(Optional<TraceContext> trace, JsonOut out) throws IOException {
        if (trace.isPresent()) {
            out.begin("trace");
            out.text("parent", trace.get().parent());
            if (!trace.get().state().isEmpty()) {
                out.text("state", trace.get().state());
            }
            out.end();
        }
    }

    private static Optional<TraceContext> readTrace(JsonIn in) throws IOException {
        if (!in.beginIfThere("trace")) {
            return Optional.empty();
        }
        var parent = in.text("parent");
        var trace = new TraceContext(parent, in.optionalText("state").orElse(""));
        in.end();
        return Optional.of(trace);
    }
}
