package dev.artel.benchmarks;

import dev.artel.zeromq.SocketThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// A process with workers on ZeroMQ that accept tasks `noop` and do them at once; one thread for the sockets of all, beside that of the library.
///
/// Registers them, prints `ready` when all are, and answers as [LoadCounts#answer]; and `release` when results are sent that wait.
final class ZeroMqWorkers {
    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    private static final int WAIT_MILLIS = 5;

    private final LoadCounts counts = new LoadCounts();
    private final List<PushSockets> workers = new ArrayList<>();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean isToRelease;

    private ZeroMqWorkers() {}

    /// Arguments: the ports of the orchestrator for registrations, tasks and results, the token of workers, how many workers, how many tasks at once
    /// for each; and `hold`: results wait until all workers have a task, and the line `release`.
    public static void main(String[] args) throws IOException, InterruptedException {
        var all = new ZeroMqWorkers();
        var context = SocketThreads.context();
        var ports = List.of(args).subList(0, 3);
        for (var i = 0; i < Integer.parseInt(args[4]); i++) {
            all.workers.add(
                    new PushSockets(
                            context,
                            ports,
                            "push-" + i,
                            args[3],
                            Integer.parseInt(args[5]),
                            args.length > 6 && args[6].equals("hold"),
                            all.counts));
        }
        Thread.ofPlatform().daemon().name("load").start(() -> all.run(context));
        all.ready.await();
        ChildProtocol.send("ready");
        ChildProtocol.untilEnd(all::answer);
    }

    private String answer(String line) {
        if (!line.equals("release")) {
            return counts.answer(line);
        }
        isToRelease = true;
        try {
            released.await();
            return "released";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private void run(ZContext context) {
        var pace = new Pace(HEARTBEAT, workers.size());
        var poller = context.createPoller(workers.size() * 3);
        for (var worker : workers) {
            worker.sockets().forEach(socket -> poller.register(socket, ZMQ.Poller.POLLIN));
        }
        while (true) {
            pace.keep(turn -> workers.get(turn).beat());
            poller.poll(WAIT_MILLIS);
            for (var i = 0; i < workers.size(); i++) {
                if (poller.pollin(i * 3) || poller.pollin(i * 3 + 1) || poller.pollin(i * 3 + 2)) {
                    workers.get(i).read();
                }
            }
            if (ready.getCount() > 0 && workers.stream().allMatch(PushSockets::isReady)) {
                ready.countDown();
            }
            if (isToRelease && released.getCount() > 0) {
                workers.forEach(PushSockets::release);
                released.countDown();
            }
        }
    }
}
