package dev.artel.gateway.mindbus;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.protocol.Progress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// What agents report of themselves and of their tasks. Safe for use by many threads.
final class NodeEvents {
    private final NodeRegistry registry;
    private final InstantSource wallClock;

    NodeEvents(NodeRegistry registry, InstantSource wallClock) {
        this.registry = registry;
        this.wallClock = wallClock;
    }

    /// Takes an event.
    ///
    /// @param key under which it was published
    /// @param hasWaited whether it was in the queue already when the connection was opened, and may be old
    /// @throws UnreadableEvent if it is none
    void take(BusEvent event, String key, boolean hasWaited) {
        if (!event.type().equals(BusEvent.EVENT)) {
            throw new UnreadableEvent("a queue of events takes no " + event.type());
        }
        var type =
                event.text("event_type")
                        .orElse(key.startsWith("evt.") ? key.substring("evt.".length()) : key);
        var inner = event.data().object("event_data").orElse(event.data());
        var sender = event.sender();
        switch (type) {
            case "node.registered",
                    "node.updated",
                    "registry.node_registered",
                    "registry.node_updated" ->
                    registry.registered(inner, sender, hasWaited && isOld(event, inner));
            case "node.heartbeat", "agent.heartbeat" -> {
                if (!hasWaited || !isOld(event, inner)) {
                    registry.heartbeat(inner, sender);
                }
            }
            case "node.deregistered", "registry.node_deregistered" ->
                    registry.deregistered(inner, sender);
            case "task.progress" -> {
                if (!hasWaited || !isOld(event, inner)) {
                    progress(inner, sender);
                }
            }
            default -> {
                // Events of other kinds are for others.
            }
        }
    }

    /// An agent that sent this may be gone by now.
    private boolean isOld(BusEvent event, JsonObject inner) {
        var name = Passport.text(inner, "name").orElse(event.source());
        return event.time()
                .map(time -> Duration.between(time, wallClock.instant()))
                .filter(age -> age.compareTo(registry.leaseOf(name)) > 0)
                .isPresent();
    }

    private void progress(JsonObject inner, BusEvent.Sender sender) {
        var token = CommandAnswers.token(Passport.text(inner, "task_id").stream().toList());
        if (token == null) {
            return;
        }
        var job = token.address().map(address -> address.job().value()).orElse(null);
        var fraction =
                inner.number("progress").map(JsonNumber::asDouble).map(NodeEvents::part).orElse(0d);
        var words =
                List.of(
                        Passport.text(inner, "phase", "state").orElse("working"),
                        inner.number("elapsed_seconds").map(n -> n + " s").orElse(""));
        registry.reported(
                sender,
                new Progress(
                        job,
                        token.value(),
                        token.value(),
                        fraction,
                        String.join(" ", words).strip()));
    }

    /// Some agents count to 100.
    private static double part(double value) {
        return Math.clamp(value > 1 ? value / 100 : value, 0, 1);
    }
}
