package dev.artel.gateway.mindbus;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.TaskAssignment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Writes commands: what agents drop without a word is refused here. Safe for use by many threads.
final class CommandBodies {
    private static final int PRIORITY = 20;
    private static final int CONTROL_PRIORITY = 255;
    private static final int LONGEST_ACTION = 100;

    /// The longest id that a property of AMQP takes, in bytes.
    private static final int LONGEST_ID = 255;

    private static final long LONGEST_TIMEOUT = 3600;

    /// How long a message waits at RabbitMQ at most, in milliseconds: with more than its version takes, ten years in 3.10, the broker closes the channel.
    private static final long LONGEST_EXPIRATION = 0xffff_ffffL;

    /// The longest routing key, in bytes.
    private static final int LONGEST_KEY = 255;

    private static final String CONTEXT = "context";

    private final MindBusConfig config;
    private final TaskAssignments assignments;
    private final InstantSource wallClock;

    /// A message and its properties.
    static final class Written {
        final BasicProperties properties;
        final byte[] body;

        private Written(BasicProperties properties, byte[] body) {
            this.properties = properties;
            this.body = body;
        }
    }

    CommandBodies(MindBusConfig config, TaskAssignments assignments, InstantSource wallClock) {
        this.config = config;
        this.assignments = assignments;
        this.wallClock = wallClock;
    }

    /// The key that reaches one agent.
    static String commandKey(String agent) {
        return "cmd." + agent.replace('.', '_') + ".any";
    }

    /// The key under which an agent listens to controls.
    static String controlKey(String agent) {
        return "ctl." + agent.replace('.', '_') + ".any";
    }

    /// Why no message reaches an agent of this name; empty if one does.
    static Optional<String> keyRefusal(String agent) {
        var bytes = commandKey(agent).getBytes(StandardCharsets.UTF_8).length;
        return bytes <= LONGEST_KEY
                ? Optional.empty()
                : Optional.of(
                        "its routing key would have "
                                + bytes
                                + " bytes, and RabbitMQ takes "
                                + LONGEST_KEY
                                + "; give the agent a shorter name");
    }

    /// Has `send` send the command for a task, once there is room for large parameters. Its id, its correlation id and its idempotency key are the lease:
    /// fresh for each hand-out.
    ///
    /// @param lease how long the agent holds it without a renewal
    /// @return whether there was room in time; otherwise nothing is sent
    /// @throws UnreadableEvent if no agent would take it
    boolean command(String agent, HandOut task, Duration lease, Consumer<Written> send) {
        var token = task.lease().token();
        var action = task.spec().type();
        if (action.length() > LONGEST_ACTION) {
            throw new UnreadableEvent(
                    "an action has at most "
                            + LONGEST_ACTION
                            + " characters, the task type has "
                            + action.length());
        }
        if (token.value().length() > LONGEST_ID) {
            throw new UnreadableEvent(
                    "the id of a command has at most "
                            + LONGEST_ID
                            + " characters, that of the task has "
                            + token.value().length()
                            + "; submit the job under a shorter id");
        }
        return assignments
                .write(
                        task,
                        lease,
                        TaskAssignments.ALL,
                        System.nanoTime(),
                        its -> {
                            send.accept(written(agent, task, its));
                            return true;
                        })
                .isPresent();
    }

    private Written written(String agent, HandOut task, TaskAssignment assignment) {
        var token = task.lease().token();
        var left = Duration.between(wallClock.instant(), task.lease().timeout());
        var seconds = Math.clamp((left.toMillis() + 999) / 1000, 1, LONGEST_TIMEOUT);
        var data =
                JsonObject.builder()
                        .put("action", task.spec().type())
                        .put("params", withoutContext(assignment.params()))
                        .put(
                                "requirements",
                                JsonObject.of(
                                        "capabilities",
                                        JsonArray.ofStrings(List.of(task.spec().type()))))
                        .put(CONTEXT, context(agent, task, assignment.params()))
                        .put("timeout_seconds", seconds)
                        .put("idempotency_key", token.value())
                        .build();
        var body =
                BusEvent.write(
                        BusEvent.COMMAND,
                        token.value(),
                        task.job().value(),
                        task.trace().map(trace -> trace.parent()),
                        wallClock.instant(),
                        data);
        if (body.length > config.maxMessageBytes()) {
            throw new UnreadableEvent(
                    "a command has at most "
                            + config.maxMessageBytes()
                            + " bytes (mindbus.max-message-bytes), this one has "
                            + body.length);
        }
        var expiration = Math.clamp(left.toMillis(), seconds * 1000, LONGEST_EXPIRATION);
        return new Written(
                BusEvent.properties(token.value(), PRIORITY)
                        .replyTo(config.replyQueue())
                        .expiration(String.valueOf(expiration))
                        .build(),
                body);
    }

    private static JsonObject withoutContext(JsonObject params) {
        if (params.object(CONTEXT).isEmpty()) {
            return params;
        }
        var rest = JsonObject.builder();
        params.members()
                .forEach((name, value) -> {
                    if (!name.equals(CONTEXT)) {
                        rest.put(name, value);
                    }
                });
        return rest.build();
    }

    /// What the task brings as its context, and what leads the agent to the step. Agents read `target_node` alone.
    private static JsonObject context(String agent, HandOut task, JsonObject params) {
        var step = String.valueOf(task.task());
        return params.object(CONTEXT)
                .orElse(JsonObject.EMPTY)
                .merge(
                        JsonObject.builder()
                                .put("process_id", task.job().value())
                                .put("step", step)
                                .put("step_id", step)
                                .put("target_node", agent)
                                .build());
    }

    /// What asks an agent to end its process. Agents that listen to no controls go on.
    Written shutdown(String agent, String reason) {
        var now = wallClock.instant();
        var id = "shutdown-" + now.toEpochMilli();
        var data =
                JsonObject.builder().put("control_type", "shutdown").put("reason", reason).build();
        return new Written(
                BusEvent.properties(id, CONTROL_PRIORITY).build(),
                BusEvent.write(BusEvent.CONTROL, id, agent, Optional.empty(), now, data));
    }

    /// What asks an agent to stop a task. Agents that listen to no controls go on.
    Written stop(LeaseToken token) {
        var parameters = JsonObject.builder().put("task_id", token.value());
        token.address().ifPresent(address -> parameters.put("process_id", address.job().value()));
        var id = "stop-" + token.handOut();
        var data =
                JsonObject.builder()
                        .put("control_type", "stop")
                        .put("reason", "the orchestrator does not wait for this task any more")
                        .put("parameters", parameters.build())
                        .build();
        var subject = token.address().map(address -> address.job().value()).orElse(token.handOut());
        return new Written(
                BusEvent.properties(id, CONTROL_PRIORITY).build(),
                BusEvent.write(
                        BusEvent.CONTROL,
                        id,
                        subject,
                        Optional.empty(),
                        wallClock.instant(),
                        data));
    }
}
