package dev.artel.worker.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.worker.wire.WireAddress;

/// What an agent is addressed by on the bus.
///
/// @param value the id of the worker
record AgentName(String value) {
    /// So that the names of its queues have at most the 255 bytes that a broker takes.
    private static final int LONGEST = 200;

    AgentName {
        if (value.getBytes(UTF_8).length > LONGEST
                || value.startsWith("amq.")
                || value.chars().anyMatch(c -> c == '*' || c == '#' || c <= ' ')) {
            throw new IllegalArgumentException(
                    "a worker on RabbitMQ has an id of at most "
                            + LONGEST
                            + " bytes without blanks, '*' and '#', which does not begin with 'amq.', was '"
                            + value
                            + "'");
        }
    }

    static AgentName of(WireAddress address) {
        return new AgentName(address.workerId());
    }

    /// Its word in routing keys.
    String key() {
        return value.replace('.', '_');
    }

    @Override
    public String toString() {
        return value;
    }
}
