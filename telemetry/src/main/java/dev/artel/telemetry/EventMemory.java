package dev.artel.telemetry;

import dev.artel.json.JsonMemory;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.List;

/// About how many bytes events take in memory, most of which are values that clients, workers and handlers choose.
final class EventMemory {
    /// Of an event, a task, or the name of a value.
    private static final int EACH = 1_000;

    private static final int MEMBER = 100;

    private EventMemory() {}

    static long of(List<JobEvent> events) {
        var sum = 0L;
        for (var event : events) {
            sum += EACH + values(event);
        }
        return sum;
    }

    private static long values(JobEvent event) {
        return switch (event) {
            case JobEvent.JobSubmitted it -> of(it.spec().initialData());
            case JobEvent.StepDone it -> of(it.changes());
            case JobEvent.TaskOpened it -> of(it.spec().params());
            case JobEvent.TasksOpened it -> {
                var sum = 0L;
                for (var spec : it.specs()) {
                    sum += EACH + of(spec.params());
                }
                yield sum;
            }
            case JobEvent.TaskSucceeded it -> of(it.data());
            case JobEvent.OutcomeResolved(
                            int _,
                            Resolution.Happened(var _, var data),
                            var _,
                            var _) ->
                    of(data);
            case JobEvent.SignalReceived it -> of(it.payload());
            case JobEvent.ChildRequested it -> of(it.spec().initialData());
            case JobEvent.ChildrenRequested it -> {
                var sum = of(it.spec().initialData());
                for (var data : it.initialData()) {
                    sum += EACH + of(data);
                }
                yield sum;
            }
            case JobEvent.ChildEnded it -> of(it.report().data());
            case JobEvent.JobRewound it -> of(it.data());
            case JobEvent.JobForked it -> {
                var sum = of(it.data());
                for (var each : it.recordedResult()) {
                    sum += EACH + of(each.params()) + of(each.data());
                }
                yield sum;
            }
            case JobEvent.JobContinued it -> of(it.data());
            case JobEvent.TaskReused it -> of(it.result().params()) + of(it.result().data());
            case JobEvent.JobEnded(JobOutcome.Finished(var result), var _) -> of(result);
            default -> 0;
        };
    }

    private static long of(JobData data) {
        var sum = 0L;
        for (var value : data.values().sequencedEntrySet()) {
            sum += MEMBER + value.getKey().length() + of(value.getValue());
        }
        return sum;
    }

    private static long of(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> JsonMemory.bytes(value);
            case Payload.Ref _, Payload.Slice _ -> EACH;
            case Payload.Members(var members) -> {
                var sum = 0L;
                for (var member : members.sequencedEntrySet()) {
                    sum += MEMBER + member.getKey().length() + of(member.getValue());
                }
                yield sum;
            }
        };
    }
}
