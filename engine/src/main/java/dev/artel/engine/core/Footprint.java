package dev.artel.engine.core;

import dev.artel.json.JsonMemory;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.util.Map;

/// About how much memory a job takes up, with all that clients, handlers and workers choose the size of. Single-threaded.
///
/// A job is measured again when it has had as many events as it has parts, or twice as many parts as before: measuring
/// costs each event a share that does not grow with the job.
public final class Footprint {
    /// A job that is not there, or without anything.
    static final long EMPTY = 3_000;

    /// Without its parameters and its result.
    private static final long TASK = 400;

    private static final long BRANCH = 300;
    private static final long CHILD = 800;
    private static final long SIGNAL = 300;

    /// Without its characters and those of its answer, of which each takes up to two bytes.
    private static final long QUESTION = 300;

    private static final long ASKED = 40;

    /// Of what was or is to be sent to a receiver of webhooks.
    private static final long EVENT = 400;

    /// Of an approval that was decided.
    private static final long APPROVED = 400;

    /// Of a compensation, without its parameters.
    private static final long ENTRY = 200;

    private static final long LEASE = 300;

    /// Of an element of a list or of a map, without its texts.
    private static final long ITEM = 64;

    /// It is measured after so many events at the earliest.
    public static final int FEWEST_EVENTS = 8;

    private long bytes = EMPTY;
    private long version = -1;
    private long parts;

    /// Of a job that was not measured yet.
    public Footprint() {}

    /// How many bytes, as it was when it was last worth looking: since then it has had fewer events than parts.
    public long of(JobState state) {
        if (!(state instanceof Job job)) {
            return EMPTY;
        }
        var now = parts(job);
        var since = job.version() - version;
        if (version < 0 || now >= 2 * parts || since >= Math.max(now, FEWEST_EVENTS)) {
            bytes = measured(job);
            version = job.version();
            parts = now;
        }
        return bytes;
    }

    /// How many parts a job has that may be many.
    public static int parts(Job job) {
        return 1 + job.tasks().size() + job.branches().size() + job.children().children().size();
    }

    private static long measured(Job job) {
        var sum = EMPTY + of(job.spec()) + of(job.phase()) + of(job.data());
        sum += ASKED * job.questions().asked().size();
        sum += EVENT * (job.webhookEvents().pending().size() + job.webhookEvents().past().size());
        sum += APPROVED * job.approvals().past().size();
        for (var child : job.children().children()) {
            sum += CHILD + of(child.spec().initialData()) + texts(child.spec().labels());
            sum +=
                    switch (child.state()) {
                        case Child.Ended ended -> of(ended.result());
                        case Child.Refused(var reason) -> text(reason);
                        default -> 0;
                    };
        }
        for (var branch : job.branches()) {
            sum += of(branch);
        }
        for (var task : job.tasks()) {
            sum += of(task);
        }
        for (var signal : job.signals().waiting()) {
            sum += SIGNAL + of(signal.payload());
        }
        sum += texts(job.signals().known());
        for (var recordedResult : job.recordedResult()) {
            sum += TASK + of(recordedResult.params()) + of(recordedResult.data());
        }
        return sum + of(job.compensationLog());
    }

    /// What its client has asked for. Each job has its own, also where many have the same.
    private static long of(JobSpec spec) {
        var options = spec.options();
        var sum = of(spec.initialData()) + texts(options.labels());
        sum += JsonMemory.bytes(spec.clientPlan().params());
        for (var webhook : options.webhooks()) {
            sum += EVENT + webhook.url().map(Footprint::text).orElse(0L);
        }
        for (var client : options.requestedBy()) {
            sum += text(client);
        }
        return sum;
    }

    private static long of(Job.Phase phase) {
        return switch (phase) {
            case Job.Active _ -> 0;
            case Job.Cancelling cancelling -> text(cancelling.reason());
            case Job.Quarantined quarantined -> text(quarantined.reason());
            case Job.Ended ended ->
                    switch (ended.outcome()) {
                        case JobOutcome.Finished(var result) -> of(result);
                        default -> text(ended.outcome().toString());
                    };
        };
    }

    private static long of(Branch branch) {
        var sum = BRANCH + ITEM * branch.stateTrail().last().size();
        if (branch.taken().isPresent()) {
            sum += SIGNAL + of(branch.taken().get().payload());
        }
        return sum
                + switch (branch.doing()) {
                    case Branch.AwaitingApproval(var _, var approval, var _) ->
                            text(approval.message())
                                    + text(approval.approvers().toString())
                                    + texts(approval.choices().states());
                    case Branch.AwaitingTask waiting -> texts(waiting.on().states());
                    case Branch.AwaitingChild waiting -> texts(waiting.on().states());
                    default -> 0;
                };
    }

    private static long of(Task task) {
        var sum = TASK + of(task.spec()) + questions(task);
        sum += LEASE * (task.lingering().size() + task.failedOn().size());
        return sum
                + switch (task.state()) {
                    case Task.Succeeded done -> done.status().length() + of(done.data());
                    case Task.Failed(var error) -> text(error.code()) + text(error.message());
                    case Task.Doubtful doubtful -> LEASE + text(doubtful.reason());
                    case Task.Open _ -> LEASE;
                    case Task.Planned _, Task.Cancelled _ -> 0;
                };
    }

    private static long of(TaskSpec spec) {
        var sum = of(spec.params());
        for (var limit : spec.sharedLimits()) {
            sum += ITEM + text(limit.key());
        }
        var demand = spec.demand();
        if (demand.equals(Demand.NONE)) {
            return sum;
        }
        var needs = demand.requirements();
        for (var name : needs.amounts().keySet()) {
            sum += ITEM + text(name);
        }
        for (var device : needs.devices()) {
            sum += ITEM + text(device.toString());
        }
        for (var model : needs.models()) {
            sum += text(model);
        }
        for (var label : needs.labels()) {
            sum += ITEM + text(label.toString());
        }
        for (var secret : demand.secrets()) {
            sum += ITEM + text(secret.at()) + text(secret.name());
        }
        return sum;
    }

    private static long of(CompensationLog log) {
        var sum = 0L;
        for (var entry : log.declared()) {
            sum += entry.map(Footprint::of).orElse(ITEM);
        }
        for (var entry : log.registered()) {
            sum += of(entry);
        }
        for (var compensated : log.compensated()) {
            sum += of(compensated.what()) + compensated.failure().map(Footprint::text).orElse(0L);
        }
        return sum;
    }

    private static long of(CompensationLog.Entry entry) {
        return ENTRY
                + switch (entry.by()) {
                    case Compensation.ByTask(var task) -> of(task);
                    case Compensation.ByState(var state, var subject) ->
                            text(state) + subject.map(Footprint::text).orElse(0L);
                };
    }

    private static long texts(Map<String, String> texts) {
        var sum = 0L;
        for (var text : texts.entrySet()) {
            sum += ITEM + text(text.getKey()) + text(text.getValue());
        }
        return sum;
    }

    private static long text(String text) {
        return JsonMemory.string(text);
    }

    private static long questions(Task task) {
        var sum = 0L;
        if (task.asked().isPresent()) {
            sum += QUESTION + 2L * task.asked().get().question().characters();
        }
        for (var answer : task.answers()) {
            sum += QUESTION + 2L * answer.characters();
        }
        return sum;
    }

    private static long of(JobData data) {
        return data.memory();
    }

    private static long of(Payload payload) {
        return Payload.memory(payload);
    }
}
