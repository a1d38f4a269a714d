package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Agents of which each may declare a lot, in a room for one that does. All events come over one connection, and are taken in their order.
final class PassportRoomTest extends BusTestCase {
    private static final String[] MANY =
            IntStream.range(0, 300)
                    .mapToObj(number -> "%0190d".formatted(number))
                    .toArray(String[]::new);

    private TestAgent sender;

    @BeforeEach
    void serve() throws Exception {
        server.close();
        server = new BusServer(BusServer.config(broker), 100_000);
        server.awaitConnected();
        sender = agent();
    }

    @Test
    void anAgentForWhichThereIsNoRoom_isTakenWhenAnotherOneHasLeft() throws Exception {
        var first = agent();
        var second = agent();
        var small = agent();
        register(first, MANY);
        register(second, MANY);
        register(small, "echo");
        awaitThere(small);
        awaitThere(first);
        assertThat(server.gateway().uidOf(second.name)).isEmpty();

        sender.event("node.deregistered", of(first));
        register(second, MANY);

        awaitThere(second);
        assertThat(server.gateway().uidOf(first.name)).isEmpty();
        assertThat(server.find(second.name).profile().capabilities().tasks()).hasSize(300);
    }

    @Test
    void whoIsNotTaken_givesItsRoomBeforeWhoIsAwayForAWhile() throws Exception {
        var refused = agent();
        var away = agent();
        var next = agent();
        server.elsewhere.add(refused.name);
        register(refused, MANY);
        register(away, "echo");
        awaitThere(away);
        sender.event("node.deregistered", of(away));
        register(next, MANY);
        awaitThere(next);

        server.elsewhere.clear();
        sender.event("node.heartbeat", of(refused));
        sender.event("node.heartbeat", of(away));

        awaitThere(away);
        assertThat(server.find(away.name).profile().capabilities().tasks()).containsExactly("echo");
        awaitThere(refused);
        assertThat(server.find(refused.name).profile().capabilities().tasks()).isEmpty();
    }

    @Test
    void aPassport_hasTheWeightOfItsTexts() {
        var labels = new LinkedHashMap<String, String>();
        var empty = new Passport("a", "", "", List.of(), 1, labels, LONGEST);
        labels.put("role", "\u4e00\u4e00");

        var full = new Passport("a", "", "", List.of("echo"), 1, labels, LONGEST);

        assertThat(PassportRoom.weight(full) - PassportRoom.weight(empty))
                .isEqualTo(3 * 48 + 4 + 4 + 2 * 2);
    }

    private void register(TestAgent agent, String... capabilities) throws IOException {
        sender.event("node.registered", agent.registration(agent.uid, 600, capabilities));
    }

    private static JsonObject of(TestAgent agent) {
        return JsonObject.builder().put("node_id", agent.uid).put("name", agent.name).build();
    }
}
