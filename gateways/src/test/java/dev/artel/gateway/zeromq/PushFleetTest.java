package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobId;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.ZContext;

/// Many workers at once, which keep to the protocol, over real sockets.
@Timeout(Await.HUNG)
final class PushFleetTest {

    private final List<EchoPushWorker> workers = new ArrayList<>();
    private ZeroMqServer server = ZeroMqServer.patient();

    @AfterEach
    void close() {
        workers.forEach(EchoPushWorker::stop);
        workers.forEach(EchoPushWorker::close);
        server.close();
    }

    private EchoPushWorker start(String name, int capacity, Duration work) {
        var worker = new EchoPushWorker(server.ports(), name, capacity, work, null);
        workers.add(worker);
        return worker;
    }

    private List<JobId> submit(int count) {
        var jobs = new ArrayList<JobId>();
        for (var i = 0; i < count; i++) {
            jobs.add(server.engine.submit("echo", JsonObject.EMPTY));
        }
        return jobs;
    }

    private void awaitDone(List<JobId> jobs) {
        await().until(() -> jobs.stream().allMatch(job -> server.engine.applied(job).size() == 1));
    }

    /// Trap: of 200 workers of another dispatcher 93 lost the task that was pushed to them right after their registration.
    @Test
    void eachOf200FreshWorkers_receivesItsFirstTask() {
        server.close();
        server = ZeroMqServer.with(Duration.ofMinutes(10), Duration.ofMinutes(10));
        var jobs = submit(200);
        var peers = new ArrayList<PushPeer>();
        try (var context = new ZContext(1)) {
            for (var i = 0; i < 200; i++) {
                peers.add(new PushPeer(server.ports(), "w" + i, _ -> {}, context));
            }
            for (var peer : peers) {
                peer.send(WirePort.REGISTRATION, "READY", peer.ready(1));
            }
            for (var peer : peers) {
                peer.inSession(peer.receive(WirePort.REGISTRATION, "WELCOME").text("session"));
                peer.hello(WirePort.TASKS);
                peer.hello(WirePort.RESULTS);
            }

            var received = new ArrayList<String>();
            for (var peer : peers) {
                var task = peer.task();
                peer.accept(task);
                received.add(task.text("job_id"));
            }

            assertThat(received).hasSize(200).doesNotHaveDuplicates();
        }
        assertThat(jobs)
                .allSatisfy(job -> {
                    assertThat(server.engine.attempts(job)).isEqualTo(1);
                    assertThat(server.engine.endings(job)).isEmpty();
                });
        assertThat(server.gateway().counts().unreachable()).isZero();
    }

    @Test
    void capacity_isNeverExceeded_whateverTheHeartbeatsReportAsIdle() {
        for (var i = 0; i < 5; i++) {
            workers.add(
                    new EchoPushWorker(
                            server.ports(),
                            "w" + i,
                            i + 1,
                            Duration.ofMillis(5),
                            new SplittableRandom(i)));
        }
        var jobs = submit(500);

        awaitDone(jobs);

        for (var i = 0; i < 5; i++) {
            assertThat(workers.get(i).most.get()).isLessThanOrEqualTo(i + 1);
        }
        assertThat(jobs).allSatisfy(job -> assertThat(server.engine.attempts(job)).isEqualTo(1));
    }

    @Test
    void aRestartOfTheOrchestrator_losesNoTask_andRunsNoneTwice() {
        for (var i = 0; i < 5; i++) {
            start("w" + i, 2, Duration.ofMillis(300));
        }
        var jobs = submit(60);
        await().until(() -> jobs.stream().anyMatch(job -> !server.engine.applied(job).isEmpty()));

        server.restart();

        awaitDone(jobs);
        assertThat(jobs)
                .allSatisfy(job ->
                        assertThat(server.engine.attempts(job))
                                .as("%s %s", job, server.engine.endings(job))
                                .isEqualTo(1 + server.engine.endings(job).size()));
    }

    @Test
    void tasksOfWorkersThatDieAgainAndAgain_areDoneByOthers() {
        server.close();
        server = ZeroMqServer.with(Duration.ofSeconds(4), Duration.ofSeconds(20));
        var jobs = submit(30);
        start("stays", 1, Duration.ofMillis(20));
        for (var round = 0; round < 3; round++) {
            try (var dying = start("dies-" + round, 2, Duration.ofHours(1))) {
                await().until(() -> dying.begun.get() > 0 || isDone(jobs));
            }
        }
        start("late", 10, Duration.ofMillis(20));

        awaitDone(jobs);
    }

    private boolean isDone(List<JobId> jobs) {
        return jobs.stream().noneMatch(server.engine::isQueued);
    }
}
