package dev.artel.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.protocol.TaskAssignment;
import dev.artel.testkit.transport.WireAnswer.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What real workers of several generations send, to the letter, and what they need: on every wire.
public interface RealWorkersContract {
    /// A worker that describes its skills, and names with each poll what it has room for.
    String NEWEST =
            """
            {"worker_id":"w1","worker_type":"gpu","supported_skills":[{"name":"echo","type":"echo","version":"1.0",\
            "input_schema":{},"output_statuses":["success"]},{"name":"draw","type":"draw","version":"1.0"}],\
            "capabilities":{"hostname":"h","ip_address":"10.0.0.5","cost_per_skill":{"echo":0.5},"extra":{},\
            "websockets":true},"resources":{"properties":{"cpu_cores":8,"ram_gb":32},\
            "devices":[{"type":"gpu","model":"A100","properties":{"memory_gb":80}}]},\
            "installed_artifacts":[],"skills_hash":"1a2b"}\
            """;

    /// The wire under test, the same one for the whole of a test.
    WorkerWire wire();

    private WorkerWire.Peer newest() {
        var peer = wire().peer("w1");
        assertThat(peer.register(JsonText.read(NEWEST)).kind()).isEqualTo(Kind.TAKEN);
        return peer;
    }

    private WorkerWire.Poll poll(WorkerWire.Peer peer, String... available) {
        return peer.poll(List.of(available), List.of(), Duration.ofSeconds(30));
    }

    @Test
    default void aRegistrationThatDescribesItsSkills_saysItsMemory_andThatThePollsAreTheLimit() {
        newest();

        var profile = wire().engine().worker("w1").orElseThrow();
        assertThat(profile.tasks()).containsExactly("echo", "draw");
        assertThat(profile.capacity()).isGreaterThanOrEqualTo(1000);
        assertThat(profile.costOf("echo")).isEqualTo(0.5);
        assertThat(profile.workerResources().devices())
                .singleElement()
                .satisfies(device -> assertThat(device.amounts()).containsEntry("vram_gb", 80.0));
    }

    @Test
    default void aNumberOfTasksAmongTheResources_isItsNumberOfSlots() {
        wire().peer("w2")
                .register(
                        JsonText.read(
                                "{\"worker_id\":\"w2\",\"supported_tasks\":[\"echo\"],"
                                        + "\"resources\":{\"max_concurrent_tasks\":30}}"));

        assertThat(wire().engine().worker("w2").orElseThrow().capacity()).isEqualTo(30);
    }

    /// Trap: after a restart of the orchestrator a worker that registers once in its life has no slots, resources and prices.
    @Test
    default void aWorkerThatOnlyPollsAfterARestart_isWhatItRegistered_andGetsItsTasks() {
        var peer = newest();
        var before = wire().engine().worker("w1").orElseThrow();

        wire().restart();
        var job = wire().engine().submit("echo");

        assertThat(poll(peer, "echo", "draw").answer().task().jobId()).isEqualTo(job.value());
        var after = wire().engine().worker("w1").orElseThrow();
        assertThat(after.slots()).isEqualTo(before.slots());
        assertThat(after.workerResources()).isEqualTo(before.workerResources());
        assertThat(after.workerCosts()).isEqualTo(before.workerCosts());
    }

    @Test
    default void aWorkerThatOnlySendsHeartbeatsAfterARestart_isWhatItRegistered() {
        var worker = Registered.on(wire(), "w1", 3);

        wire().restart();
        assertThat(worker.beat(0).kind()).isEqualTo(Kind.TAKEN);

        assertThat(wire().engine().worker("w1").orElseThrow().capacity()).isEqualTo(3);
    }

    /// Trap: worker and orchestrator are restarted together, and the new process waits until the leases of the dead one run out.
    @Test
    default void anotherProcessAfterARestart_endsTheLeasesOfTheOneBefore_atOnce() {
        var worker = Registered.on(wire(), "w1", 1, "process-1");
        var job = wire().engine().submit("echo");
        worker.take();

        wire().restart();
        var again = Registered.on(wire(), "w1", 1, "process-2");

        assertThat(again.take().jobId()).isEqualTo(job.value());
        assertThat(wire().engine().endings(job)).containsExactly(LeaseEnd.Lost.WORKER_RESTARTED);
    }

    /// Trap: each hand-out waits for a heartbeat that counts the one before it.
    @Test
    default void aWorkerThatPollsAgainAndAgain_getsItsTasksWithoutAHeartbeatInBetween() {
        var peer = newest();
        for (var i = 0; i < 40; i++) {
            wire().engine().submit("echo");
        }

        var jobs = new ArrayList<String>();
        for (var i = 0; i < 40; i++) {
            jobs.add(poll(peer, "echo", "draw").answer().task().jobId());
        }

        assertThat(jobs).doesNotHaveDuplicates().hasSize(40);
    }

    @Test
    default void aPoll_getsOnlyWhatItHasRoomFor_andSaysWhatIsHot() {
        var peer = newest();
        var poll = peer.poll(List.of("draw"), List.of("draw"), Duration.ofSeconds(30));
        var profile = wire().engine().worker("w1").orElseThrow();
        assertThat(profile.tasks()).containsExactly("draw");
        assertThat(profile.capabilities().hot()).containsExactly("draw");

        wire().engine().submit("echo");
        assertThat(poll.isAnswered()).isFalse();
        wire().engine().submit("draw");

        assertThat(poll.answer().task().type()).isEqualTo("draw");
        var cold = poll(peer, "draw");
        assertThat(wire().engine().worker("w1").orElseThrow().capabilities().hot()).isEmpty();
        cold.hangUp();
    }

    @Test
    default void aPollIsAnsweredBeforeItsWorkerGivesUp() {
        var peer = newest();
        var poll = peer.poll(List.of("draw"), List.of(), Duration.ofSeconds(5));
        wire().advance(Duration.ofSeconds(4));
        assertThat(poll.isAnswered()).isFalse();

        wire().advance(Duration.ofMillis(600));

        assertThat(poll.answer().kind()).isEqualTo(Kind.NOTHING);
    }

    @Test
    default void aHeartbeatThatLeavesItsHotSkillsOut_hasNone() {
        var peer = newest();
        var hot = "{\"status\":\"idle\",\"available_skills\":[\"echo\"],\"hot_skills\":[\"echo\"]}";
        peer.heartbeat(JsonText.read(hot));
        assertThat(wire().engine().worker("w1").orElseThrow().capabilities().hot())
                .containsExactly("echo");

        peer.heartbeat(JsonText.read("{\"status\":\"idle\",\"available_skills\":[\"echo\"]}"));

        assertThat(wire().engine().worker("w1").orElseThrow().capabilities().hot()).isEmpty();
    }

    @Test
    default void progressAndEvents_areHeard_ofATaskThatTheWorkerHolds() {
        var peer = newest();
        wire().engine().submit("echo");
        var task = poll(peer, "echo").answer().task();
        var progress = "{\"progress\":0.5,\"message\":\"half\"}";

        peer.event(event("progress", task.taskId(), task, progress));
        peer.event(event("page_found", task.taskId(), task, "{\"page\":7}"));
        peer.event(event("progress", "no-such-task", task, progress));

        assertThat(wire().heard())
                .containsExactly("w1 0.5 half", "w1 event page_found {\"page\":7}");
    }

    /// Trap: a worker that is to give up reports progress still, and that is kept for a job that is over.
    @Test
    default void progressOfAnAttemptThatIsRevoked_isNotHeard() {
        var peer = newest();
        var job = wire().engine().submit("echo");
        var task = poll(peer, "echo").answer().task();
        wire().engine().cancel(job);
        var busy = JsonText.read("{\"load\":1,\"available_skills\":[]}");
        wire().engine()
                .await(
                        "the worker hears of the cancel",
                        () ->
                                peer.heartbeat(busy)
                                        .texts("cancel_task_ids")
                                        .contains(task.taskId()));

        peer.event(event("progress", task.taskId(), task, "{\"progress\":0.9}"));

        assertThat(wire().heard()).isEmpty();
    }

    /// Trap: the docs state one time for all generations.
    @Test
    default void aWorkerThatNamesItsTasks_isGoneAfterItsTermAndAGrace_andOthersLater() {
        var naming = Registered.on(wire(), "w1", 1);
        var counting = Registered.on(wire(), "w2", 1);
        naming.peer().heartbeat(JsonText.read("{\"load\":0,\"current_tasks\":[]}"));
        counting.beat(0);

        wire().advance(Duration.ofSeconds(92));
        wire().engine().await("it is gone", () -> wire().engine().worker("w1").isEmpty());
        assertThat(wire().engine().worker("w2")).isPresent();

        wire().advance(Duration.ofSeconds(30));
        wire().engine().await("it is gone, too", () -> wire().engine().worker("w2").isEmpty());
    }

    private static JsonObject event(
            String type, String target, TaskAssignment task, String payload) {
        return JsonObject.builder()
                .put("event_id", "e1")
                .put("event_type", type)
                .put("target_task_id", target)
                .put("target_job_id", task.jobId())
                .put("origin_task_id", target)
                .put("origin_worker_id", "w1")
                .put("payload", JsonText.read(payload))
                .build();
    }
}
