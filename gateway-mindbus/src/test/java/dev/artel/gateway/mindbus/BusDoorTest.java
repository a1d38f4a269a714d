package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.artel.gateway.access.NamePatterns;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Who may be an agent, where each account of the broker may publish on the exchange.
final class BusDoorTest extends BusTestCase {
    private void serve(BusDoor door) throws InterruptedException {
        server.close();
        server = new BusServer(server.config.withDoor(door));
        server.awaitConnected();
    }

    private TestAgent agentOf(String name, @Nullable String user) throws Exception {
        var agent = new TestAgent(broker, server.config, name, user);
        opened.add(agent);
        return agent;
    }

    /// An account of the broker that may do everything.
    private void addUser(String user) {
        broker.control("add_user", user, "secret");
        broker.control("set_permissions", user, ".*", ".*", ".*");
    }

    @Test
    void aNameThatTheSettingDoesNotHave_isNotTaken_neitherByItsPassportNorByItsHeartbeats()
            throws Exception {
        var one = freshName();
        var other = freshName();
        serve(new BusDoor(NamePatterns.of("agent.other.*, " + one), false));
        var stranger = agent(other);
        stranger.register(600, "echo");
        stranger.heartbeat();

        var agent = agent(one);
        agent.register(600, "echo");
        awaitThere(agent);

        assertThat(server.isThere(other)).isFalse();
    }

    @Test
    void anAgentThatWasThere_isNotTakenAnyMore_onceTheSettingDoesNotHaveItsName() throws Exception {
        var agent = present("echo");
        var good = freshName();
        server.restart(new BusDoor(NamePatterns.of(good), false));

        agent.heartbeat();
        var allowed = agent(good);
        allowed.register(600, "echo");
        awaitThere(allowed);

        assertThat(server.gateway().uidOf(agent.name)).isEmpty();
    }

    @Test
    void aNameOfAWorkerOnAnotherWire_isTakenOnceThatOneHasLeft() throws Exception {
        var agent = agent();
        server.elsewhere.add(agent.name);
        agent.register(600, "echo");
        agent.heartbeat();
        var after = present("echo");
        assertThat(server.isThere(agent.name)).isFalse();

        server.elsewhere.clear();
        agent.heartbeat();

        awaitThere(agent);
        assertThat(server.find(agent.name).profile().capabilities().tasks())
                .containsExactly("echo");
        assertThat(server.isThere(after.name)).isTrue();
    }

    /// Trap: any account that may publish registers, answers, leaves and is paused in the name of another one.
    @Test
    void whereUsersAreVerified_nobodyIsAnAgentButItsOwnAccount() throws Exception {
        var name = freshName();
        var evil = freshName();
        addUser(name);
        addUser(evil);
        serve(new BusDoor(NamePatterns.ALL, true));
        var agent = agentOf(name, name);
        var impostor = agentOf(name, evil);
        var nobody = agentOf(name, null);
        impostor.register(600, "echo");
        nobody.register(600, "echo");
        var evilItself = agentOf(evil, evil);
        evilItself.register(600, "other");
        awaitThere(evilItself);
        assertThat(server.isThere(name)).isFalse();

        agent.register(600, "echo");
        awaitThere(agent);
        var job = server.engine.submit("echo");
        var command = agent.command();
        impostor.succeed(command, JsonObject.of("forged", JsonNumber.of(1)));
        nobody.succeed(command, JsonObject.of("forged", JsonNumber.of(2)));
        unreadable(impostor, command, evil);
        impostor.event("node.deregistered", deregistered(agent));
        impostor.control(name, "pause");
        nobody.control(name, "pause");
        // What comes after on the same queues was taken after.
        evilItself.control(evil, "pause");
        awaitTrue(() -> server.held.stream().anyMatch(one -> one.contains(evil)));
        evilItself.event("node.deregistered", deregistered(evilItself));
        awaitTrue(() -> server.gateway().uidOf(evil).isEmpty());
        agent.succeed(command, JsonObject.of("own", JsonNumber.of(3)));

        assertThat(output(awaitReport(job))).isEqualTo(JsonObject.of("own", JsonNumber.of(3)));
        assertThat(server.gateway().uidOf(name)).isPresent();
        assertThat(server.held).noneMatch(one -> one.contains(name));
    }

    @Test
    void whereUsersAreVerified_theOrchestratorsOwnAccountMayPauseAgents() throws Exception {
        var name = freshName();
        addUser(name);
        serve(new BusDoor(NamePatterns.ALL, true));
        var agent = agentOf(name, name);
        agent.register(600, "echo");
        awaitThere(agent);
        var operator = new TestAgent(broker, server.config, freshName(), "guest");
        opened.add(operator);

        operator.control(name, "pause");

        awaitTrue(() -> server.held.stream().anyMatch(one -> one.startsWith("paused " + name)));
    }

    private static JsonObject deregistered(TestAgent agent) {
        return JsonObject.builder().put("node_id", agent.uid).put("name", agent.name).build();
    }

    private static void unreadable(TestAgent agent, TestAgent.Command command, String user)
            throws Exception {
        agent.answer(
                command,
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId(command.id())
                        .userId(user)
                        .build(),
                JsonText.write(new JsonString("nothing")));
    }
}
