package dev.artel.engine.shell;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonMemory;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.store.Parts;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.UnreadableValue;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// Takes large values out of what is to become an event, and puts them back for readers.
final class LargeValues {
    private static final String TOO_LARGE = "VALUE_TOO_LARGE";
    private static final String INVALID = "INVALID_RESULT";
    private static final String UNREADABLE = "UNREADABLE_VALUE";

    /// What a character of a text may take, in bytes of JSON: more than this is rare, and only costs room.
    private static final int LONGEST_CHARACTER = 4;

    /// Parameters that are shorter take hardly more memory than what would stand in their place.
    private static final int SMALLEST_SLICE = 256;

    private final PayloadStore store;

    LargeValues(PayloadStore store) {
        this.store = store;
    }

    Payload keep(Payload payload) {
        if (!(payload instanceof Payload.Inline(var given))) {
            return payload;
        }
        var value = given.settled();
        return atLeast(value) >= Payload.INLINE_LIMIT / LONGEST_CHARACTER
                ? store.keep(value)
                : given.isLate() ? Payload.of(value) : payload;
    }

    /// The same, for a value with which others come.
    Payload keep(Payload payload, JobRoom.Share share) {
        if (!(payload instanceof Payload.Inline(var given))) {
            return payload;
        }
        var value = given.settled();
        var isLarge =
                JsonMemory.bytes(value) >= share.memory()
                        || (atLeast(value) >= share.inline() / LONGEST_CHARACTER
                                && store.bytes(value) >= share.inline());
        return isLarge ? store.put(value) : Payload.of(value);
    }

    /// The shape is the same: what is large in it is kept apart in its place.
    JobData keep(JobData data) {
        return new JobData(parts(data.values(), Long.MAX_VALUE, Payload.INLINE_LIMIT));
    }

    /// The result of a task. A large object keeps its members: they may become data of its job. Where they do not, and too much
    /// would stay with the job, it is kept apart as a whole.
    private Payload keepResult(Payload result, JobRoom.Share share) {
        return switch (result) {
            case Payload.Inline(JsonObject object) -> keepMembers(object, share);
            case Payload.Inline _ -> keep(result, share);
            case Payload.Ref whole when share.isOne() -> {
                var split = store.split(whole, share.inline());
                yield Payload.memory(split) < share.memory() ? split : whole;
            }
            case Payload.Ref whole -> store.split(whole);
            case Payload.Slice _ -> result;
            case Payload.Members _ -> result;
        };
    }

    private Payload keepMembers(JsonObject given, JobRoom.Share share) {
        var object = (JsonObject) given.settled();
        if (share.isOne()
                && (long) object.size() * Payload.REFERENCE >= share.memory()
                && JsonMemory.bytes(object) >= share.memory()) {
            return store.put(object);
        }
        var parts = parts(JobData.of(object).values(), store.maxBytes(), share.inline());
        var kept =
                parts.values().stream().anyMatch(Payload.Ref.class::isInstance)
                        ? new Payload.Members(parts)
                        : Payload.of(object);
        return share.isOne() && Payload.memory(kept) >= share.memory() ? store.put(object) : kept;
    }

    private SequencedMap<String, Payload> parts(
            SequencedMap<String, Payload> given, long maxBytes, long inline) {
        var members = settled(given);
        var atLeast = 0L;
        for (var member : members.entrySet()) {
            atLeast += member.getKey().length() + 4L;
            if (member.getValue() instanceof Payload.Inline(var value)) {
                atLeast += atLeast(value);
            }
        }
        if (atLeast < inline / LONGEST_CHARACTER) {
            return members;
        }
        var bytes = new LinkedHashMap<String, Long>();
        var put = new LinkedHashMap<String, Payload>();
        members.forEach((name, member) -> {
            if (!(member instanceof Payload.Inline(var value))) {
                bytes.put(name, 0L);
            } else if (atLeast(value) < Math.max(inline, Parts.SMALLEST)) {
                bytes.put(name, store.bytes(value));
            } else {
                // Large by itself, it is kept apart whatever the others are: it is written once.
                var ref = store.put(value);
                bytes.put(name, ref.bytes());
                put.put(name, ref);
            }
        });
        var apart = Parts.apart(bytes, maxBytes, inline);
        if (apart.isEmpty()) {
            return members;
        }
        var kept = new LinkedHashMap<String, Payload>();
        members.forEach((name, member) ->
                kept.put(
                        name,
                        put.containsKey(name)
                                ? put.get(name)
                                : apart.contains(name)
                                                && member instanceof Payload.Inline(var value)
                                        ? store.put(value)
                                        : member));
        return kept;
    }

    /// @param share what each of so many values has of the room of their job
    Action keep(Action action, IntFunction<JobRoom.Share> share) {
        return switch (action) {
            case Action.TransitionTo(var state, var changes) ->
                    new Action.TransitionTo(state, keep(changes));
            case Action.ContinueAsNew(var state, var data) ->
                    new Action.ContinueAsNew(state, keep(data));
            case Action.ReplaceDefinition(var by, var changes) ->
                    new Action.ReplaceDefinition(by, keep(changes));
            case Action.DispatchTask(var task, var on, var changes) ->
                    new Action.DispatchTask(keep(task, share.apply(1)), on, keep(changes));
            case Action.DispatchParallel(
                            var tasks,
                            int window,
                            var policy,
                            var join,
                            var otherwise,
                            var changes) ->
                    new Action.DispatchParallel(
                            keepTogether(tasks, share),
                            window,
                            policy,
                            join,
                            otherwise,
                            keep(changes));
            case Action.Fork(var branchSpecs, var policy, var join, var otherwise, var changes) ->
                    new Action.Fork(branchSpecs, policy, join, otherwise, keep(changes));
            case Action.EndBranch(var failure, var changes) ->
                    new Action.EndBranch(failure, keep(changes));
            case Action.Compensable(var waiting, Compensation.ByTask(var task)) ->
                    new Action.Compensable(
                            keep(waiting, share),
                            new Compensation.ByTask(keep(task, share.apply(1))));
            case Action.Compensable(var waiting, var by) ->
                    new Action.Compensable(keep(waiting, share), by);
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
                            var budget,
                            var changes) ->
                    new Action.RunBlueprint(
                            blueprint,
                            version,
                            keep(initialData, share.apply(1)),
                            labels,
                            within,
                            steps,
                            as,
                            mode,
                            on,
                            budget,
                            keep(changes));
            case Action.RunBlueprints(
                            var each,
                            var initialData,
                            int window,
                            var policy,
                            var join,
                            var otherwise,
                            var changes) ->
                    new Action.RunBlueprints(
                            each,
                            keepAll(initialData, share.apply(initialData.size())),
                            window,
                            policy,
                            join,
                            otherwise,
                            keep(changes));
            case Action.Wait(var duration, var next, var changes) ->
                    new Action.Wait(duration, next, keep(changes));
            case Action.WaitUntil(var instant, var next, var changes) ->
                    new Action.WaitUntil(instant, next, keep(changes));
            case Action.AwaitSignal(var signal, var next, var deadline, var changes) ->
                    new Action.AwaitSignal(signal, next, deadline, keep(changes));
            case Action.AwaitApproval(
                            var message,
                            var approvers,
                            var choices,
                            var deadline,
                            var tokenDigest,
                            var changes) ->
                    new Action.AwaitApproval(
                            message, approvers, choices, deadline, tokenDigest, keep(changes));
            case Action.Finish(JobOutcome.Finished(var result), var changes) ->
                    new Action.Finish(new JobOutcome.Finished(keep(result)), keep(changes));
            case Action.Finish(var outcome, var changes) ->
                    new Action.Finish(outcome, keep(changes));
        };
    }

    private List<JobData> keepAll(List<JobData> all, JobRoom.Share share) {
        return all.stream().map(data -> keep(data, share)).toList();
    }

    /// The shape is the same. What is large in memory is kept apart, also where its text is short.
    private JobData keep(JobData data, JobRoom.Share share) {
        var members = new LinkedHashMap<String, Payload>();
        data.values().forEach((name, member) -> members.put(name, keep(member, share)));
        return new JobData(parts(members, Long.MAX_VALUE, share.inline()));
    }

    private TaskSpec keep(TaskSpec task, JobRoom.Share share) {
        var params = keep(task.params(), share);
        return params.equals(task.params()) ? task : task.withParams(params);
    }

    /// Parameters of many tasks, which are together as large as a value that is kept apart, are kept together: neither the
    /// job's event nor the job in memory carries them, and each is read when a worker gets its task.
    private List<TaskSpec> keepTogether(List<TaskSpec> given, IntFunction<JobRoom.Share> share) {
        var alone = share.apply(1);
        var tasks = given.stream().map(task -> keep(task, JobRoom.Share.ALONE)).toList();
        var least = share.apply(tasks.size()).memory();
        var values = new ArrayList<JsonValue>();
        var atLeast = 0L;
        var memory = 0L;
        for (var task : tasks) {
            if (task.params() instanceof Payload.Inline(var value)) {
                var bytes = JsonMemory.bytes(value);
                if (isWorthASlice(value, bytes, least)) {
                    values.add(value);
                    atLeast += atLeast(value);
                    memory += bytes;
                }
            }
        }
        if (atLeast < Payload.INLINE_LIMIT && memory < alone.memory()) {
            return tasks;
        }
        var slices = store.keepTogether(values).iterator();
        return tasks.stream()
                .map(task ->
                        task.params() instanceof Payload.Inline(var value)
                                        && isWorthASlice(value, JsonMemory.bytes(value), least)
                                ? task.withParams(slices.next())
                                : task)
                .toList();
    }

    private static boolean isWorthASlice(JsonValue value, long memory, int least) {
        return atLeast(value) >= SMALLEST_SLICE || memory >= least;
    }

    /// Whether [#keep] may read or write a store for the value of `report`. True also for some that stay as they are.
    boolean mayBeKept(TaskReport report, JobRoom.Share share) {
        return report instanceof TaskReport.Succeeded(var _, var data)
                && !(data instanceof Payload.Inline(var value)
                        && !value.isLate()
                        && JsonMemory.bytes(value) < share.memory()
                        && atLeast(value) < share.inline() / LONGEST_CHARACTER);
    }

    /// The same report with an empty value.
    static TaskReport withoutValue(TaskReport report) {
        return report instanceof TaskReport.Succeeded(var status, var _)
                ? new TaskReport.Succeeded(status, Payload.of(JsonObject.EMPTY))
                : report;
    }

    /// A result that is too large is a failure that no other attempt recovers: its worker would send it forever.
    TaskReport keep(TaskReport report, JobRoom.Share share) {
        return switch (report) {
            case TaskReport.Succeeded(var status, var _)
                    when status.length() > TaskReport.Succeeded.LONGEST_STATUS ->
                    new TaskReport.Failed(
                            new TaskError(
                                    ErrorClass.PERMANENT,
                                    INVALID,
                                    "the status of the result has "
                                            + status.length()
                                            + " characters; it is a word that the blueprint has a transition for, of at"
                                            + " most "
                                            + TaskReport.Succeeded.LONGEST_STATUS));
            case TaskReport.Succeeded(var status, var data) -> {
                try {
                    yield new TaskReport.Succeeded(status, keepResult(data, share));
                } catch (ValueTooLarge tooLarge) {
                    yield failed(TOO_LARGE, tooLarge);
                } catch (UnreadableValue unreadable) {
                    yield failed(UNREADABLE, unreadable);
                }
            }
            case TaskReport.Failed failed -> failed;
            case TaskReport.Cancelled cancelled -> cancelled;
        };
    }

    private static TaskReport failed(String code, RuntimeException refusal) {
        return new TaskReport.Failed(
                new TaskError(ErrorClass.PERMANENT, code, "the result: " + refusal.getMessage()));
    }

    Resolution keep(Resolution resolution, JobRoom.Share share) {
        return resolution instanceof Resolution.Happened(var status, var data)
                ? new Resolution.Happened(status, keepResult(data, share))
                : resolution;
    }

    QuarantineAction keep(QuarantineAction how) {
        return switch (how) {
            case QuarantineAction.Retry(var changes) -> new QuarantineAction.Retry(keep(changes));
            case QuarantineAction.Skip(var status, var result) ->
                    new QuarantineAction.Skip(status, keepResult(result, JobRoom.Share.ALONE));
            case QuarantineAction.Release release -> release;
            case QuarantineAction.Discard discard -> discard;
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

    /// The same values, of which the large ones are read on demand.
    JsonObject view(JobData data) {
        return view(data.values());
    }

    /// The same value; the large members of an object are read on demand.
    JsonValue view(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref whole -> store.resolve(whole);
            case Payload.Slice slice -> store.resolve(slice);
            case Payload.Members(var members) -> view(members);
        };
    }

    private JsonObject view(SequencedMap<String, Payload> members) {
        var object = JsonObject.builder();
        members.forEach((name, member) -> {
            switch (member) {
                case Payload.Inline(var value) -> object.put(name, value);
                case Payload.Ref ref -> object.put(name, new Remembered(store.late(ref)));
                case Payload.Members(var inner) -> object.put(name, view(inner));
                case Payload.Slice _ ->
                        throw new IllegalArgumentException(
                                "member '" + name + "' is kept in parts: " + member);
            }
        });
        return object.build();
    }

    /// A value that is not read again while a caller has it.
    private static final class Remembered implements LateValue {
        private final LateValue value;
        private WeakReference<JsonValue> last = new WeakReference<>(null);

        private Remembered(LateValue value) {
            this.value = value;
        }

        @Override
        public synchronized JsonValue read() {
            var there = last.get();
            if (there == null) {
                there = value.read();
                last = new WeakReference<>(there);
            }
            return there;
        }

        @Override
        public Stream<JsonValue> elements() {
            return value.elements();
        }

        @Override
        public long bytes() {
            return value.bytes();
        }
    }

    private static SequencedMap<String, Payload> settled(SequencedMap<String, Payload> members) {
        if (members.isEmpty()) {
            return members;
        }
        var settled = new LinkedHashMap<String, Payload>();
        members.forEach((name, member) ->
                settled.put(
                        name,
                        member instanceof Payload.Inline(var value)
                                ? Payload.of(value.settled())
                                : member));
        return settled;
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
            case JsonNumber number -> number.leastDigits();
            case JsonBoolean _, JsonNull _ -> 4;
        };
    }
}
