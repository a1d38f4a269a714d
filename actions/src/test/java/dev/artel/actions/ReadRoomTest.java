package dev.artel.actions;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ActionHosts;
import dev.artel.config.ActionSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.text.ValueRoom;
import dev.artel.waits.Await;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ReadRoomTest extends ActionTestCase {
    private static final String LARGE = "[" + "[],".repeat(20_000) + "[]]";

    /// Two values of this text do not fit into it.
    private final ValueRoom room = new ValueRoom(4 << 20);

    private final Queue<String> ended = new ConcurrentLinkedQueue<>();
    private BuiltInActions narrow;

    @BeforeEach
    void narrow() {
        narrow =
                new BuiltInActions(
                        ActionSettings.DEFAULTS
                                .withHosts(ActionHosts.of("localhost:" + port()))
                                .withMaxBytes(1 << 20)
                                .withModelUri(URI.create(url("/v1")))
                                .withModelName("small"),
                        folder.resolve("narrow"),
                        () -> secrets,
                        new ReadRoom(room, task -> task.startsWith("other") ? "other" : "client"),
                        ended::add);
        answers(200, "application/json", LARGE);
    }

    private JsonObject request(String task) throws Exception {
        return request(task, "/");
    }

    private JsonObject request(String task, String path) throws Exception {
        return narrow.run("http_request", json("{'url':'" + url(path) + "','timeout':300}"), task);
    }

    private CompletableFuture<JsonObject> later(String task) {
        return later(() -> request(task));
    }

    private static CompletableFuture<JsonObject> later(Callable<JsonObject> task) {
        var result = new CompletableFuture<JsonObject>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        result.complete(task.call());
                    } catch (Exception failure) {
                        result.completeExceptionally(failure);
                    }
                });
        return result;
    }

    /// Trap: as many answers as the worker has slots are values in memory at once, and the process ends.
    @Test
    @Timeout(Await.HUNG)
    void aLargeAnswer_isReadOnceTheResultBeforeItIsKept() throws Exception {
        var first = request("first");
        var second = later("second");
        await("the second answer waits").until(room::hasWaiting);

        narrow.over("first");

        assertThat(second.get().get("body")).isEqualTo(first.get("body")).isPresent();
    }

    /// Trap: what one client reads from slow hosts takes all the room, and the answers of all others wait.
    @Test
    @Timeout(Await.HUNG)
    void theAnswersOfAClient_leaveRoomForThoseOfOthers() throws Exception {
        request("first");
        var _ = later("second");
        await("the second answer waits").until(room::hasWaiting);
        answers(200, "application/json", "[\"" + "a".repeat(40_000) + "\"]");

        assertThat(request("other").get("body")).isPresent();

        assertThat(ended).containsExactly("first", "other");
        narrow.over("first");
    }

    /// Trap: the files of a client are values in memory as well.
    @Test
    @Timeout(Await.HUNG)
    void aLargeFile_isReadOnceThereIsRoom() throws Exception {
        narrow.run("file_storage", json("{'path':'a.json','content':" + LARGE + "}"), "write");
        var first = request("first"); // its room is free once it is garbage
        var read = later(() -> narrow.run("file_storage", json("{'path':'a.json'}"), "read"));
        await("the file waits").until(room::hasWaiting);

        narrow.over("first");

        assertThat(read.get().get("content")).isEqualTo(first.get("body")).isPresent();
    }

    /// Trap: a server leads on with a large body, to where nothing is answered, and nobody else has room for that long.
    @Test
    @Timeout(Await.HUNG)
    void aRedirect_hasNoRoom_whileItsRequestGoesOn() throws Exception {
        var release = new CountDownLatch(1);
        answers(request ->
                switch (request.path()) {
                    case "/on" -> new Reply(302, "application/json", LARGE, url("/slow"));
                    case "/slow" -> {
                        release.await();
                        yield new Reply(200, "text/plain", "at last");
                    }
                    default -> new Reply(200, "application/json", LARGE);
                });
        var redirected = later(() -> request("redirected", "/on"));
        await("the next hop").until(() -> received.size() == 2);

        var other = later("other");

        await("the other is done or waits").until(() -> other.isDone() || room.hasWaiting());
        assertThat(room.hasWaiting()).isFalse();
        assertThat(other.get().get("body")).isPresent();
        release.countDown();
        assertThat(redirected.get().string("body")).contains("at last");
    }

    /// Trap: a model answers many tasks at once with megabytes, which are values in memory as well.
    @Test
    @Timeout(Await.HUNG)
    void aLargeAnswerOfAModel_isReadOnceThereIsRoom() throws Exception {
        var first = request("first"); // its room is free once it is garbage
        answers(
                200,
                "application/json",
                "{\"choices\":[{\"message\":{\"content\":\"" + LARGE + "\"}}]}");
        var answered =
                later(() ->
                        narrow.run("llm_generate", json("{'prompt':'p','json':true}"), "second"));
        await("the model has answered, and its answer waits").until(room::hasWaiting);

        narrow.over("first");

        var second = answered.get();
        assertThat(second.get("json")).isEqualTo(first.get("body")).isPresent();
        var next = later("next");
        await("the answer keeps its room").until(room::hasWaiting);
        narrow.over("second");
        assertThat(next.get().get("body")).isPresent();
        assertThat(second.get("text")).isPresent(); // not garbage before
    }

    /// Trap: what fails after it was read has room for good.
    @Test
    @Timeout(Await.HUNG)
    void aFailure_givesItsRoomBack() {
        answers(500, "application/json", LARGE);
        for (var i = 0; i < 3; i++) {
            var task = "task" + i;
            assertThatThrownBy(() -> request(task)).hasMessageContaining("500");
        }
    }

    /// Trap: a task loses its lease and reports nothing, and its room is gone for good.
    @Test
    @Timeout(Await.HUNG)
    void aResultThatIsGarbage_givesItsRoomBack() throws Exception {
        lose();
        var next = later("next");

        await("the room of a lost task is free")
                .until(() -> {
                    System.gc();
                    return next.isDone();
                });

        assertThat(next.get().get("body")).isPresent();
    }

    /// In a method of its own, of which no frame keeps the result.
    private void lose() throws Exception {
        assertThat(request("lost").get("body")).isPresent();
    }

    /// Trap: the answer of a redirect waits for the room of the one before, which nobody gives back.
    @Test
    @Timeout(Await.HUNG)
    void anAnswerAfterAnother_hasTheRoomOfTheFirst() {
        var reading = new ReadRoom(room, task -> task).reading("task");
        for (var i = 0; i < 3; i++) {
            reading.await(LARGE.getBytes(UTF_8));
        }
        assertThat(room.hasWaiting()).isFalse();
    }
}
