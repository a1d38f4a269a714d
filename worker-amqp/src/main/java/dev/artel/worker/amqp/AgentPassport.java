package dev.artel.worker.amqp;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.protocol.Register;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Who a worker is, as agents introduce themselves.
///
/// @param uid of its process
/// @param type a word for people
/// @param slots how many commands it does at once
record AgentPassport(
        AgentName name,
        String uid,
        String type,
        List<String> capabilities,
        Map<String, String> labels,
        int slots) {
    private static final int MOST_SLOTS = 10_000;

    AgentPassport {
        capabilities = List.copyOf(capabilities);
        labels = new LinkedHashMap<>(labels);
    }

    /// @param introduction the body of a registration over HTTP
    static AgentPassport of(AgentName name, JsonObject introduction) {
        var register = Register.read(introduction);
        var profile = register.profile();
        var instance = register.origin().instance();
        return new AgentPassport(
                name,
                instance == null ? UUID.randomUUID().toString() : instance,
                register.workerType(),
                profile.names(),
                profile.labels(),
                Math.clamp(profile.limits().maxConcurrentTasks(), 1, MOST_SLOTS));
    }

    /// What is sent as `node.registered`.
    JsonObject registered(Duration lease) {
        return named().put("node_type", "agent")
                .put("capabilities", JsonArray.ofStrings(capabilities))
                .put("passport", passport(lease))
                .build();
    }

    /// The beginning of each event about the agent.
    JsonObject.Builder named() {
        return JsonObject.builder().put("node_id", uid).put("name", name.value());
    }

    private JsonObject passport(Duration lease) {
        var now = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
        return JsonObject.builder()
                .put("metadata", metadata(now))
                .put("spec", spec())
                .put("status", status(lease, now))
                .build();
    }

    private JsonObject metadata(String now) {
        var all = JsonObject.builder().put("node.type", type);
        labels.forEach(all::put);
        capabilities.forEach(capability -> all.put("capability." + capability, "true"));
        return JsonObject.builder()
                .put("uid", uid)
                .put("name", name.value())
                .put("node_type", "agent")
                .put("labels", all.build())
                .put("annotations", JsonObject.EMPTY)
                .put("creation_timestamp", now)
                .put("version", "1.0.0")
                .build();
    }

    private JsonObject spec() {
        var described =
                capabilities.stream()
                        .map(capability ->
                                (JsonValue)
                                        JsonObject.builder()
                                                .put("name", capability)
                                                .put("version", "1.0")
                                                .put("parameters", JsonObject.EMPTY)
                                                .build())
                        .toList();
        var limits = JsonObject.builder().put("concurrent_tasks", slots).build();
        var endpoint =
                JsonObject.builder()
                        .put("protocol", "amqp")
                        .put("queue", AgentQueues.commandKeys(name))
                        .build();
        return JsonObject.builder()
                .put("node_type", "agent")
                .put("capabilities", new JsonArray(described))
                .put("resources", JsonObject.of("requests", JsonNull.NULL, "limits", limits))
                .put("endpoint", endpoint)
                .put("configuration", JsonObject.of("agent_type", new JsonString(type)))
                .build();
    }

    private JsonObject status(Duration lease, String now) {
        var ready =
                JsonObject.builder()
                        .put("type", "Ready")
                        .put("status", "True")
                        .put("last_transition_time", now)
                        .build();
        var held =
                JsonObject.builder()
                        .put("holder_identity", name.value())
                        .put("acquire_time", now)
                        .put("renew_time", now)
                        .put("lease_duration_seconds", lease.toSeconds())
                        .build();
        return JsonObject.builder()
                .put("phase", "Running")
                .put("conditions", new JsonArray(List.of(ready)))
                .put("lease", held)
                .put("current_tasks", 0)
                .put("total_tasks_processed", 0)
                .build();
    }
}
