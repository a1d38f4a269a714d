package dev.artel.session;

import static dev.artel.session.Core.W1;
import static dev.artel.session.Core.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.protocol.Heartbeat;
import dev.artel.session.SessionOutput.Joined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Trap: workers of the first generation have limits for some types that they never tell, and begin whatever they are
/// given before they say that a type is full.
final class PacingTest {
    private final Core core = new Core();
    private final List<SessionOutput> outputs = new ArrayList<>();

    @Test
    void afterAHandOut_nothingMoreIsOffered_beforeAHeartbeatThatCountsIt() {
        see(core.register(W1));
        see(heartbeat(0, "echo"));

        give();
        assertThat(offered()).isEmpty();
        see(heartbeat(0));
        assertThat(offered()).as("after a heartbeat that had set out before").isEmpty();
        see(heartbeat(1, "echo"));
        assertThat(offered()).containsExactly("echo");
    }

    @Test
    void aHeartbeatThatDoesNotCome_isNotWaitedForLong() {
        see(core.register(W1));
        see(heartbeat(0, "echo"));
        give();

        see(core.advance(Duration.ofSeconds(1)));

        assertThat(offered()).containsExactly("echo");
    }

    @Test
    void aWorkerThatHasNothingLeft_isOfferedEverythingAtOnce() {
        see(core.register(W1));
        see(heartbeat(0, "echo"));
        give();

        see(core.on(new SessionInput.LeaseLost(W1, tokens.getFirst())));
        see(core.advance(Duration.ofSeconds(1)));

        assertThat(offered()).containsExactly("echo");
    }

    @Test
    void aTypeThatFillsAllSlotsButOne_hasNoLimit_andIsNotWaitedForAgain() {
        see(core.register(W1, JsonObject.of("max_concurrent_tasks", JsonNumber.of(3))));
        see(heartbeat(0, "echo"));
        give();
        see(heartbeat(1, "echo"));
        give();
        see(heartbeat(2, "echo"));

        give();

        assertThat(offered()).containsExactly("echo");
    }

    @Test
    void aWorkerThatNamesItsProcess_isNotPaced() {
        see(core.register(W1, JsonObject.of("instance", new JsonString("a"))));
        see(heartbeat(0, "echo"));

        give();

        assertThat(offered()).containsExactly("echo");
    }

    @Test
    void aWorkerThatShouldHaveBeenHeardOf_isUnhealthy_untilItIs() {
        see(core.register(W1));

        see(core.advance(Duration.ofSeconds(61)));
        assertThat(profile().condition()).isEqualTo(Condition.UNHEALTHY);
        assertThat(present().overdue()).isTrue();

        see(core.beat(W1));
        assertThat(profile().condition()).isEqualTo(Condition.READY);
        assertThat(present().overdue()).isFalse();
    }

    private Present present() {
        var reply = Core.reply(core.on(new SessionInput.Census(core.number())));
        return ((SessionReply.Workers) reply).workers().getFirst();
    }

    private final List<LeaseToken> tokens = new ArrayList<>();

    private void give() {
        var poll = core.number();
        see(
                core.on(
                        new SessionInput.Said(
                                poll, W1, new dev.artel.protocol.WorkerMessage.Poll("w1", 0))));
        var task = core.task(W1, poll);
        see(core.on(new SessionInput.HandedOut(poll, W1, List.of(task))));
        see(core.on(new SessionInput.TasksWritten(poll)));
        tokens.add(task.lease().token());
    }

    private List<SessionOutput> heartbeat(int load, String... available) {
        var body =
                JsonObject.builder()
                        .put("load", load)
                        .put("status", available.length == 0 ? "busy" : "idle")
                        .put("supported_tasks", JsonArray.ofStrings(List.of(available)))
                        .put("hot_cache", JsonArray.EMPTY)
                        .build();
        return core.say(W1, Heartbeat.read("w1", body));
    }

    private void see(List<SessionOutput> more) {
        outputs.addAll(more);
    }

    private WorkerProfile profile() {
        return only(Joined.class, outputs).getLast().profile();
    }

    private List<String> offered() {
        return profile().tasks();
    }
}
