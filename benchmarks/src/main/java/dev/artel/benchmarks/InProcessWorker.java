package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A worker without a wire, which does nothing at once and reports success.
final class InProcessWorker implements WorkerPort.Listener {
    private static final TaskReport DONE =
            new TaskReport.Succeeded(TaskReport.Succeeded.SUCCESS, Payload.of(JsonObject.EMPTY));
    private static final int AT_ONCE = 64;

    private final WorkerPort engine;
    private final WorkerId id = new WorkerId("in-process");
    private final AtomicLong asks = new AtomicLong();
    private final int polls;

    InProcessWorker(WorkerPort engine, int polls) {
        this.engine = engine;
        this.polls = polls;
    }

    void start(String type, int capacity) {
        engine.joined(WorkerProfile.of(id, List.of(type), capacity));
        for (var i = 0; i < polls; i++) {
            engine.ask(asks.incrementAndGet(), id, AT_ONCE);
        }
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        engine.ask(asks.incrementAndGet(), id, AT_ONCE);
        for (var task : tasks) {
            Thread.startVirtualThread(() -> engine.report(id, task.lease().token(), DONE));
        }
    }

    @Override
    public void held(HandOut task) {}

    @Override
    public void revoke(WorkerId worker, LeaseToken token) {}

    @Override
    public void lost(WorkerId worker, LeaseToken token) {}
}
