package dev.artel.telemetry;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.TraceContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Gives each hand-out the context of the span of its attempt, so that what its worker does is below it.
final class AttemptContexts implements WorkerPort.Listener {
    private static final int SPAN = 36;

    private final WorkerPort.Listener listener;
    private final Function<JobId, Optional<Job>> live;
    private final double ratio;

    AttemptContexts(
            WorkerPort.Listener listener, Function<JobId, Optional<Job>> live, double ratio) {
        this.listener = listener;
        this.live = live;
        this.ratio = ratio;
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        listener.handOut(ask, worker, tasks.stream().map(this::traced).toList());
    }

    @Override
    public void held(HandOut task) {
        listener.held(traced(task));
    }

    @Override
    public void revoke(WorkerId worker, LeaseToken token) {
        listener.revoke(worker, token);
    }

    @Override
    public void lost(WorkerId worker, LeaseToken token) {
        listener.lost(worker, token);
    }

    private HandOut traced(HandOut task) {
        var context = task.trace().isPresent() ? below(task, task.trace().get()) : own(task);
        return new HandOut(
                task.job(),
                task.task(),
                task.lease(),
                task.spec(),
                task.priority(),
                context,
                task.answers());
    }

    /// A client that does not sample its trace gets it handed on as it is.
    private static Optional<TraceContext> below(HandOut task, TraceContext given) {
        if (!JobTrace.isSampled(given)) {
            return Optional.of(given);
        }
        var upToSpan = given.parent().substring(0, SPAN);
        var span = SpanNames.attempt(task.lease().token());
        return Optional.of(new TraceContext(upToSpan + span + "-01", given.state()));
    }

    private Optional<TraceContext> own(HandOut task) {
        return live.apply(task.job())
                .map(job -> JobTrace.of(job.id(), job.spec(), ratio))
                .filter(JobTrace::isSampled)
                .map(trace -> trace.below(SpanNames.attempt(task.lease().token())));
    }
}
