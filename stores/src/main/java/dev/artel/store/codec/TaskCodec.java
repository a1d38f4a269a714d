package dev.artel.store.codec;

import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The form of tasks, their limits, errors and reports.
final class TaskCodec {
    /// What limits are that were left out. Part of the format: stays when the kernel's defaults change.
    private static final TaskLimits LEFT_OUT =
            new TaskLimits(
                    new RetryPolicy(4, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2),
                    3,
                    Optional.empty(),
                    Duration.ofMinutes(5));

    private TaskCodec() {}

    static void writeSpec(String name, TaskSpec spec, JsonOut out) throws IOException {
        out.begin(name);
        writeSpecMembers(spec, out);
    }

    static TaskSpec readSpec(String name, JsonIn in) throws IOException {
        in.begin(name);
        return readSpecMembers(in);
    }

    static void writeSpecs(String name, List<TaskSpec> specs, JsonOut out) throws IOException {
        out.beginArray(name);
        for (var spec : specs) {
            out.begin();
            writeSpecMembers(spec, out);
        }
        out.endArray();
    }

    static List<TaskSpec> readSpecs(String name, JsonIn in) throws IOException {
        in.beginArray(name);
        var specs = new ArrayList<TaskSpec>();
        while (in.beginNext()) {
            specs.add(readSpecMembers(in));
        }
        return specs;
    }

    static void writeError(String name, TaskError error, JsonOut out) throws IOException {
        out.begin(name);
        out.text("kind", error.kind().name());
        out.text("code", error.code());
        out.text("message", error.message());
        out.end();
    }

    static TaskError readError(String name, JsonIn in) throws IOException {
        in.begin(name);
        var error =
                new TaskError(
                        ErrorClass.valueOf(in.text("kind")), in.text("code"), in.text("message"));
        in.end();
        return error;
    }

    static void writeReport(String name, TaskReport report, JsonOut out) throws IOException {
        out.begin(name);
        switch (report) {
            case TaskReport.Succeeded(var status, var data) -> {
                out.text("kind", "succeeded");
                out.text("status", status);
                out.payload("data", data);
            }
            case TaskReport.Failed(var error) -> {
                out.text("kind", "failed");
                writeError("error", error, out);
            }
            case TaskReport.Cancelled() -> out.text("kind", "cancelled");
        }
        out.end();
    }

    static TaskReport readReport(String name, JsonIn in) throws IOException {
        in.begin(name);
        var kind = in.text("kind");
        var report =
                switch (kind) {
                    case "succeeded" ->
                            new TaskReport.Succeeded(in.text("status"), in.payload("data"));
                    case "failed" -> new TaskReport.Failed(readError("error", in));
                    case "cancelled" -> new TaskReport.Cancelled();
                    default -> throw in.found("report \"" + kind + "\"", "a kind of report");
                };
        in.end();
        return report;
    }

    private static void writeSpecMembers(TaskSpec spec, JsonOut out) throws IOException {
        switch (spec) {
            case TaskSpec(
                            var type,
                            var params,
                            var limits,
                            var demand,
                            var idempotent,
                            var hedgedAfter,
                            var sharedLimits,
                            var resultAs,
                            var cost) -> {
                out.text("type", type);
                out.payload("params", params);
                if (!limits.equals(LEFT_OUT)) {
                    writeLimits(limits, out);
                }
                DemandCodec.write(demand, out);
                out.flag("notIdempotent", !idempotent);
                out.duration("hedgedAfter", hedgedAfter);
                writeSharedLimits(sharedLimits, out);
                out.text("resultAs", resultAs);
                BudgetCodec.writeCost(cost, out);
            }
        }
        out.end();
    }

    private static TaskSpec readSpecMembers(JsonIn in) throws IOException {
        var spec =
                new TaskSpec(
                        in.text("type"),
                        in.payload("params"),
                        readLimits(in),
                        DemandCodec.read(in),
                        !in.flag("notIdempotent"),
                        in.optionalDuration("hedgedAfter"),
                        readSharedLimits(in),
                        in.optionalText("resultAs"),
                        BudgetCodec.readCost(in));
        in.end();
        return spec;
    }

    private static void writeSharedLimits(List<SharedLimit> limits, JsonOut out)
            throws IOException {
        if (limits.isEmpty()) {
            return;
        }
        out.beginArray("limitedBy");
        for (var limit : limits) {
            out.begin();
            switch (limit) {
                case SharedLimit(var key, var concurrent, var rate) -> {
                    out.text("key", key);
                    if (concurrent.isPresent()) {
                        out.number("concurrent", concurrent.getAsInt());
                    }
                    if (rate.isPresent()) {
                        writeRate(rate.get(), out);
                    }
                }
            }
            out.end();
        }
        out.endArray();
    }

    private static void writeRate(Rate rate, JsonOut out) throws IOException {
        out.begin("rate");
        switch (rate) {
            case Rate(int tasks, var per, int burst) -> {
                out.number("tasks", tasks);
                out.duration("per", per);
                out.number("burst", burst);
            }
        }
        out.end();
    }

    private static List<SharedLimit> readSharedLimits(JsonIn in) throws IOException {
        if (!in.isNext("limitedBy")) {
            return List.of();
        }
        in.beginArray("limitedBy");
        var limits = new ArrayList<SharedLimit>();
        while (in.beginNext()) {
            limits.add(
                    new SharedLimit(
                            in.text("key"),
                            in.isNext("concurrent")
                                    ? OptionalInt.of(in.integer("concurrent"))
                                    : OptionalInt.empty(),
                            in.beginIfThere("rate")
                                    ? Optional.of(readRate(in))
                                    : Optional.empty()));
            in.end();
        }
        return limits;
    }

    private static Rate readRate(JsonIn in) throws IOException {
        var rate = new Rate(in.integer("tasks"), in.duration("per"), in.integer("burst"));
        in.end();
        return rate;
    }

    private static void writeLimits(TaskLimits limits, JsonOut out) throws IOException {
        out.begin("limits");
        switch (limits) {
            case TaskLimits(var retry, var maxLost, var dispatchDeadline, var timeout) -> {
                if (!retry.equals(LEFT_OUT.retry())) {
                    writeRetry(retry, out);
                }
                if (maxLost != LEFT_OUT.maxLost()) {
                    out.number("maxLost", maxLost);
                }
                out.duration("dispatchDeadline", dispatchDeadline);
                if (!timeout.equals(LEFT_OUT.executionTimeout())) {
                    out.duration("timeout", timeout);
                }
            }
        }
        out.end();
    }

    private static TaskLimits readLimits(JsonIn in) throws IOException {
        if (!in.beginIfThere("limits")) {
            return LEFT_OUT;
        }
        var limits =
                new TaskLimits(
                        readRetry(in),
                        in.isNext("maxLost") ? in.integer("maxLost") : LEFT_OUT.maxLost(),
                        in.optionalDuration("dispatchDeadline"),
                        in.optionalDuration("timeout").orElse(LEFT_OUT.executionTimeout()));
        in.end();
        return limits;
    }

    static void writeRetry(RetryPolicy retry, JsonOut out) throws IOException {
        out.begin("retry");
        switch (retry) {
            case RetryPolicy(
                            var maxAttempts,
                            var firstDelay,
                            var factor,
                            var maxDelay,
                            var jitter) -> {
                out.number("maxAttempts", maxAttempts);
                out.duration("firstDelay", firstDelay);
                out.decimal("factor", factor);
                out.duration("maxDelay", maxDelay);
                out.decimal("jitter", jitter);
            }
        }
        out.end();
    }

    static RetryPolicy readRetry(JsonIn in) throws IOException {
        if (!in.beginIfThere("retry")) {
            return LEFT_OUT.retry();
        }
        var retry =
                new RetryPolicy(
                        in.integer("maxAttempts"),
                        in.duration("firstDelay"),
                        in.decimal("factor"),
                        in.duration("maxDelay"),
                        in.decimal("jitter"));
        in.end();
        return retry;
    }
}
