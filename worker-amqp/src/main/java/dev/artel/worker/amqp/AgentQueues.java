package dev.artel.worker.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/// The queues of one process of an agent. They are durable, so that they outlive a restart of the broker, and no other process reads them, so that what a
/// crashed one has left there is not done by the next one under an id that nobody waits for.
///
/// @param commands the queue of commands
/// @param controls the queue of controls, which are read also while all slots are taken
record AgentQueues(AgentName agent, String exchange, String commands, String controls) {
    private static final int UID_LENGTH = 8;
    private static final Pattern UUID_FORM =
            Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    /// As the specification has it for all queues.
    private static final int MOST_PRIORITY = 255;

    private static final int MOST_CONTROLS = 1_000;

    /// How many leases of silence a queue outlives.
    private static final int LEASES = 4;

    private static final Duration SHORTEST_LIFE = Duration.ofMinutes(2);

    static AgentQueues of(AgentPassport passport, String exchange) {
        var own = "agent." + passport.name() + "." + word(passport.uid());
        return new AgentQueues(passport.name(), exchange, own, own + ".control");
    }

    /// Of a UUID its beginning; of another name, which may begin as that of another process, a digest.
    private static String word(String uid) {
        var isUuid = UUID_FORM.matcher(uid).matches();
        var id = isUuid ? uid : UUID.nameUUIDFromBytes(uid.getBytes(UTF_8)).toString();
        return id.substring(0, UID_LENGTH);
    }

    /// The keys of commands for an agent.
    static String commandKeys(AgentName agent) {
        return "cmd." + agent.key() + ".#";
    }

    /// Declares and binds them.
    void declare(Channel channel, Duration lease) throws IOException {
        var life = Math.max(SHORTEST_LIFE.toMillis(), lease.multipliedBy(LEASES).toMillis());
        channel.queueDeclare(
                commands,
                true,
                false,
                false,
                Map.of("x-expires", life, "x-max-priority", MOST_PRIORITY));
        channel.queueDeclare(
                controls,
                true,
                false,
                false,
                Map.of(
                        "x-expires",
                        life,
                        "x-max-length",
                        MOST_CONTROLS,
                        "x-overflow",
                        "drop-head"));
        bind(channel);
    }

    /// Declares the exchange and binds them to it; again, as it may have been deleted, which a broker does not report.
    void bind(Channel channel) throws IOException {
        channel.exchangeDeclare(exchange, "topic", true);
        channel.queueBind(commands, exchange, commandKeys(agent));
        channel.queueBind(controls, exchange, "ctl." + agent.key() + ".#");
        channel.queueBind(controls, exchange, "ctl.all.#");
    }

    /// Removes them.
    void delete(Channel channel) throws IOException {
        channel.queueDelete(commands);
        channel.queueDelete(controls);
    }
}
