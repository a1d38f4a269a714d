package dev.artel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.task.TaskReport;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A worker without a wire that asks for one task at a time, when a test wants one.
final class ContractWorker implements WorkerPort.Listener {
    private static final AtomicLong ASKS = new AtomicLong();
    private static final long TIMEOUT_SECONDS = EngineContract.LONGEST.toSeconds();

    private final WorkerId id;
    private final WorkerPort engine;
    private final BlockingQueue<HandOut> handed = new LinkedBlockingQueue<>();
    private final BlockingQueue<HandOut> held = new LinkedBlockingQueue<>();
    private final BlockingQueue<LeaseToken> revoked = new LinkedBlockingQueue<>();

    private ContractWorker(WorkerId id, WorkerPort engine) {
        this.id = id;
        this.engine = engine;
    }

    /// A worker `name` of `tested` for tasks of `types`.
    static ContractWorker join(TestedEngine tested, String name, String... types) {
        var worker = new ContractWorker(new WorkerId(name), tested.deliveries());
        tested.listen(worker);
        worker.engine.joined(WorkerProfile.of(worker.id, List.of(types), 16));
        return worker;
    }

    WorkerId id() {
        return id;
    }

    /// The next task.
    HandOut take() throws InterruptedException {
        engine.ask(ASKS.incrementAndGet(), id, 1);
        return next(handed, "a task for worker " + id);
    }

    /// The next task that the engine, which was started anew, holds for this worker.
    HandOut takeUp() throws InterruptedException {
        return next(held, "a lease of worker " + id + " from before the start");
    }

    /// The token of the next attempt that this worker is to give up.
    LeaseToken nextRevoked() throws InterruptedException {
        return next(revoked, "a revocation for worker " + id);
    }

    CommandReply report(HandOut task, TaskReport report) {
        return engine.report(id, task.lease().token(), report);
    }

    private static <T> T next(BlockingQueue<T> queue, String what) throws InterruptedException {
        @Nullable T next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("%s within %d s", what, TIMEOUT_SECONDS).isNotNull();
        return Objects.requireNonNull(next);
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        handed.addAll(tasks);
    }

    @Override
    public void held(HandOut task) {
        held.add(task);
    }

    @Override
    public void revoke(WorkerId worker, LeaseToken token) {
        revoked.add(token);
    }

    @Override
    public void lost(WorkerId worker, LeaseToken token) {}
}
