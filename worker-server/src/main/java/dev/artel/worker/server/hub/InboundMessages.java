package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what one peer sends and gives it to the hub. Whatever a peer sends has an outcome here and no exception.
final class InboundMessages {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHub.class);

    /// Handlers may be behind by so many messages of one peer.
    private static final int MAX_WAITING_EVENTS = 1_000;

    private final WorkerHub hub;
    private final HubConnection connection;

    InboundMessages(WorkerHub hub, HubConnection connection) {
        this.hub = hub;
        this.connection = connection;
    }

    void text(String text) {
        receive(text.getBytes(StandardCharsets.UTF_8), () -> text);
    }

    void binary(ByteBuffer bytes) {
        receive(copy(bytes), () -> string(bytes));
    }

    private static String string(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    private static byte[] copy(ByteBuffer bytes) {
        var copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    void pong(String payload) {
        if (payload.matches("[0-9]{1,18}")) {
            hub.pong(connection, Long.parseLong(payload));
        }
    }

    /// One that a handler answers is a violation like others.
    void tooLarge(ByteBuffer beginning) {
        tooLarge(() -> string(beginning));
    }

    private void tooLarge(Supplier<String> beginning) {
        var problem = "more than " + connection.largestMessage() + " bytes";
        if (hub.isAnswered(connection, beginning, true, problem)) {
            hub.violation(connection, problem);
            return;
        }
        hub.expel(
                connection,
                CloseCode.MESSAGE_TOO_LARGE,
                "Message too large",
                WorkerDisconnected.Reason.PROTOCOL_ERROR);
    }

    void error(Throwable cause) {
        LOG.atDebug()
                .addKeyValue("remote", connection.remote())
                .addKeyValue("problem", String.valueOf(cause.getMessage()))
                .log("connection failed");
    }

    void closed(int code, String reason) {
        hub.closed(connection, code, reason);
    }

    private void receive(byte[] text, Supplier<String> raw) {
        if (text.length > connection.largestMessage()) {
            tooLarge(raw);
            return;
        }
        if (!hub.mayReceive(connection)) {
            return;
        }
        var room = hub.room(connection, text);
        var isLeft = false;
        try {
            isLeft = understood(text, raw, room);
        } finally {
            if (!isLeft) {
                room.release();
            }
        }
    }

    /// @return whether a handler has it or will have it, which releases `room` then
    private boolean understood(byte[] text, Supplier<String> raw, MessageRoom room) {
        JsonValue value;
        try {
            value = ForeignJson.read(text);
        } catch (MalformedJson e) {
            var problem = "invalid JSON: " + e.getMessage();
            var _ = hub.isAnswered(connection, raw, false, problem);
            hub.violation(connection, problem);
            return false;
        }
        if (!(value instanceof JsonObject message)) {
            hub.violation(connection, "expected an object, found " + value.kind());
        } else if (!(message.get("type").orElse(null) instanceof JsonString(var type))) {
            hub.violation(connection, "missing type: expected a string member \"type\"");
        } else if (text.length > StrangerRoom.LARGEST_MESSAGE
                && type.equals("worker_registration")) {
            hub.expel(
                    connection,
                    CloseCode.MESSAGE_TOO_LARGE,
                    "Message too large",
                    WorkerDisconnected.Reason.PROTOCOL_ERROR);
        } else {
            return route(type, message, room);
        }
        return false;
    }

    private boolean route(String type, JsonObject message, MessageRoom room) {
        switch (type) {
            case "worker_registration" -> hub.registrations().register(connection, message, room);
            case "heartbeat" -> hub.heartbeat(connection, message, room);
            case "worker_draining" -> hub.workerDraining(connection, message, room);
            default -> {
                return deliver(type, message, room);
            }
        }
        connection.events.awaitRoom();
        return false;
    }

    private boolean deliver(String type, JsonObject message, MessageRoom room) {
        var event = hub.applicationMessage(connection, type, message, room);
        if (event == null) {
            return false;
        }
        Runnable delivery =
                () -> {
                    try {
                        hub.deliver(event);
                    } finally {
                        room.release();
                    }
                };
        if (connection.events.deliver(delivery, MAX_WAITING_EVENTS, room.weight())) {
            connection.events.awaitRoom();
            return true;
        }
        hub.expel(
                connection,
                CloseCode.POLICY,
                "Too many messages",
                WorkerDisconnected.Reason.PROTOCOL_ERROR);
        return false;
    }
}
