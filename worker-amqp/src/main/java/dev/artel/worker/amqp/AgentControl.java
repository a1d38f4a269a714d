package dev.artel.worker.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.artel.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/// A `CONTROL`: what somebody wants of an agent.
///
/// @param reason for people
/// @param task the id of a command; empty for all
/// @param process the job; empty for all
record AgentControl(Kind kind, String reason, Optional<String> task, Optional<String> process) {
    enum Kind {
        /// To drop what it does.
        STOP,
        /// To take no commands.
        PAUSE,
        /// To take commands again.
        RESUME,
        /// To end.
        SHUTDOWN,
        /// To read its configuration again; a worker of the SDK has none that changes.
        CONFIG
    }

    /// @throws MalformedCommand if it is none
    static AgentControl read(BasicProperties properties, byte[] body) {
        var data =
                ReceivedCommand.envelope(properties, body, ReceivedCommand.CONTROL)
                        .object("data")
                        .orElseThrow();
        var word = data.string("control_type").orElse("");
        Kind kind;
        try {
            kind = Kind.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new MalformedCommand("the control_type '" + word + "' is not known");
        }
        var parameters = data.object("parameters").orElse(JsonObject.EMPTY);
        return new AgentControl(
                kind,
                data.string("reason").orElse("no reason"),
                parameters.string("task_id"),
                parameters.string("process_id"));
    }
}
