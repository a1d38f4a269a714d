package dev.artel.engine.shell;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Compensation;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Mending;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.util.LinkedHashMap;

/// Takes large values out of what is to become an event, and puts them back for readers.
final class LargeValues {
    private static final String TOO_LARGE = "VALUE_TOO_LARGE";

    private final PayloadStore store;

    LargeValues(PayloadStore store) {
        this.store = store;
    }

    Payload keep(Payload payload) {
        return payload instanceof Payload.Inline(var value)
                        && atLeast(value) >= Payload.INLINE_LIMIT / 4
                ? store.keep(value)
                : payload;
    }

    JobData keep(JobData data) {
        if (data.isEmpty()) {
            return data;
        }
        var kept = new LinkedHashMap<String, Payload>();
        data.values().forEach((name, value) -> kept.put(name, keep(value)));
        return new JobData(kept);
    }

    Action keep(Action action) {
        return switch (action) {
            case Action.TransitionTo(var state, var changes) ->
                    new Action.TransitionTo(state, keep(changes));
            case Action.DispatchTask(var task, var on, var changes) ->
                    new Action.DispatchTask(keep(task), on, keep(changes));
            case Action.DispatchParallel(
                            var tasks,
                            int window,
                            var policy,
                            var join,
                            var otherwise,
                            var changes) ->
                    new Action.DispatchParallel(
                            tasks.stream().map(this::keep).toList(),
                            window,
                            policy,
                            join,
                            otherwise,
                            keep(changes));
            case Action.Fork(var branches, var policy, var join, var otherwise, var changes) ->
                    new Action.Fork(branches, policy, join, otherwise, keep(changes));
            case Action.EndBranch(var failure, var changes) ->
                    new Action.EndBranch(failure, keep(changes));
            case Action.Undoable(var waiting, Compensation.ByTask(var task)) ->
                    new Action.Undoable(keep(waiting), new Compensation.ByTask(keep(task)));
            case Action.Undoable(var waiting, var by) -> new Action.Undoable(keep(waiting), by);
            case Action.RunBlueprint(
                            var blueprint,
                            var version,
                            var initialData,
                            var labels,
                            var within,
                            var steps,
                            var as,
                            var mode,
                            var on,
                            var changes) ->
                    new Action.RunBlueprint(
                            blueprint,
                            version,
                            keep(initialData),
                            labels,
                            within,
                            steps,
                            as,
                            mode,
                            on,
                            keep(changes));
            case Action.Wait(var duration, var next, var changes) ->
                    new Action.Wait(duration, next, keep(changes));
            case Action.WaitUntil(var instant, var next, var changes) ->
                    new Action.WaitUntil(instant, next, keep(changes));
            case Action.AwaitSignal(var signal, var next, var deadline, var changes) ->
                    new Action.AwaitSignal(signal, next, deadline, keep(changes));
            case Action.AwaitApproval(
                            var message,
                            var choices,
                            var deadline,
                            var tokenDigest,
                            var changes) ->
                    new Action.AwaitApproval(
                            message, choices, deadline, tokenDigest, keep(changes));
            case Action.Finish(JobOutcome.Finished(var result), var changes) ->
                    new Action.Finish(new JobOutcome.Finished(keep(result)), keep(changes));
            case Action.Finish(var outcome, var changes) ->
                    new Action.Finish(outcome, keep(changes));
        };
    }

    private TaskSpec keep(TaskSpec task) {
        var params = keep(task.params());
        return params.equals(task.params()) ? task : task.withParams(params);
    }

    /// A result that is too large is a failure that no other attempt mends: its worker would send it for ever.
    TaskReport keep(TaskReport report) {
        return switch (report) {
            case TaskReport.Succeeded(var status, var data) -> {
                try {
                    yield new TaskReport.Succeeded(status, keep(data));
                } catch (ValueTooLarge tooLarge) {
                    yield new TaskReport.Failed(
                            new TaskError(
                                    ErrorClass.PERMANENT,
                                    TOO_LARGE,
                                    "the result: " + tooLarge.getMessage()));
                }
            }
            case TaskReport.Failed failed -> failed;
            case TaskReport.Cancelled cancelled -> cancelled;
        };
    }

    Resolution keep(Resolution resolution) {
        return resolution instanceof Resolution.Happened(var status, var data)
                ? new Resolution.Happened(status, keep(data))
                : resolution;
    }

    Mending keep(Mending how) {
        return switch (how) {
            case Mending.Retry(var changes) -> new Mending.Retry(keep(changes));
            case Mending.Skip(var status, var result) -> new Mending.Skip(status, keep(result));
            case Mending.Release release -> release;
            case Mending.Discard discard -> discard;
        };
    }

    JsonValue resolve(Payload payload) {
        return payload instanceof Payload.Inline(var value) ? value : store.resolve(payload);
    }

    JsonObject resolve(JobData data) {
        var object = JsonObject.builder();
        data.values().forEach((name, payload) -> object.put(name, resolve(payload)));
        return object.build();
    }

    /// A lower bound of the length of the value's text, cheap to find.
    private static long atLeast(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> text.length() + 2L;
            case JsonArray(var values) -> {
                var sum = 2L;
                for (var each : values) {
                    sum += atLeast(each) + 1;
                }
                yield sum;
            }
            case JsonObject(var members) -> {
                var sum = 2L;
                for (var member : members.entrySet()) {
                    sum += member.getKey().length() + 4L + atLeast(member.getValue());
                }
                yield sum;
            }
            case JsonNumber _ -> 1;
            case JsonBoolean _, JsonNull _ -> 4;
        };
    }
}
