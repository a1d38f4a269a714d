package dev.artel.gateway.shell;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The latest heartbeat of each worker that the conversation has not heard yet: of so many workers, and with so many bytes of large ones. One
/// may list ten thousand leases, and waits for up to a minute. Safe for use by many threads.
final class WaitingHeartbeats {
    /// What takes no more needs no room: the workers are bounded.
    private static final int FREE = 4 << 10;

    /// What a text takes beside its characters.
    private static final int PER_TEXT = 96;

    private final int mostWorkers;
    private final long most;
    private final ConcurrentMap<WorkerId, Waiting> waiting = new ConcurrentHashMap<>();
    private final AtomicLong taken = new AtomicLong();

    private record Waiting(Heartbeat heartbeat, long bytes) {}

    /// What became of a heartbeat.
    enum Outcome {
        /// It waits, and none of its worker waited before.
        FIRST,
        /// It waits in the place of an earlier one.
        LATER,
        /// There is no room for it; an earlier one goes on waiting.
        REFUSED
    }

    /// @param mostWorkers of how many workers one may wait
    /// @param most how many bytes of large ones may wait
    WaitingHeartbeats(int mostWorkers, long most) {
        this.mostWorkers = mostWorkers;
        this.most = most;
    }

    Outcome put(WorkerId worker, Heartbeat heartbeat) {
        if (waiting.size() >= mostWorkers && !waiting.containsKey(worker)) {
            return Outcome.REFUSED;
        }
        var bytes = bytesOf(heartbeat);
        if (taken.addAndGet(bytes) > most && bytes > 0) {
            taken.addAndGet(-bytes);
            return Outcome.REFUSED;
        }
        var before = waiting.put(worker, new Waiting(heartbeat, bytes));
        if (before == null) {
            return Outcome.FIRST;
        }
        taken.addAndGet(-before.bytes());
        return Outcome.LATER;
    }

    /// Takes the heartbeat of `worker` out; null if none waits.
    @Nullable Heartbeat remove(WorkerId worker) {
        var one = waiting.remove(worker);
        if (one == null) {
            return null;
        }
        taken.addAndGet(-one.bytes());
        return one.heartbeat();
    }

    private static long bytesOf(Heartbeat heartbeat) {
        if (!(heartbeat instanceof Heartbeat.Full full)) {
            return 0;
        }
        var hot = full.hotState();
        var bytes =
                bytesOf(full.available())
                        + bytesOf(full.currentTasks())
                        + bytesOf(hot.hotCache())
                        + bytesOf(hot.hotSkills())
                        + (full.instance() == null ? 0 : full.instance().length());
        if (hot.skillDependencies() != null) {
            for (var dependency : hot.skillDependencies().entrySet()) {
                bytes += PER_TEXT + dependency.getKey().length() + bytesOf(dependency.getValue());
            }
        }
        return bytes <= FREE ? 0 : bytes;
    }

    private static long bytesOf(@Nullable List<String> texts) {
        return texts == null ? 0 : texts.stream().mapToLong(text -> PER_TEXT + text.length()).sum();
    }
}
