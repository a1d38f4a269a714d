package dev.artel.gateway.mindbus;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.protocol.Costs;
import dev.artel.protocol.Limits;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Profile;
import dev.artel.protocol.Readiness;
import dev.artel.protocol.Register;
import dev.artel.protocol.Resources;
import dev.artel.protocol.Skill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Who an agent is and what it can do, in the form of its registration. Read in both spellings: `node_type` and `nodeType`.
///
/// @param uid fresh for each process of the agent
/// @param concurrency how many tasks it does at once
/// @param lease after how much silence it is gone
record Passport(
        String name,
        String uid,
        String nodeType,
        List<String> capabilities,
        int concurrency,
        SequencedMap<String, String> labels,
        Duration lease) {
    /// The label that an agent has of which only heartbeats were received.
    static final String PROVISIONAL = "mindbus.provisional";

    /// The label with the lease of an agent, in seconds, by which agents of the bus are known after a restart.
    static final String LEASE = "mindbus.lease-seconds";

    private static final String ENABLED = "true";
    private static final int MOST_LABELS = Profile.MAX_LABELS - 2;
    private static final int MOST_CAPABILITIES = 1000;
    private static final int LONGEST_NAME = 200;
    private static final int MOST_TASKS = 10_000;
    private static final long LONGEST_LEASE = 86_400;

    Passport {
        capabilities = List.copyOf(capabilities);
        labels = new LinkedHashMap<>(labels);
    }

    /// Reads the payload of a registration.
    ///
    /// @param source who sent it, which is its name unless the passport has one
    /// @param otherwise the lease of a passport that has none
    /// @throws UnreadableEvent if it names no agent
    static Passport read(JsonObject event, String source, Duration otherwise) {
        var passport = object(event, "passport", "node_passport", "nodePassport").orElse(event);
        var metadata = passport.object("metadata").orElse(JsonObject.EMPTY);
        var spec = passport.object("spec").orElse(JsonObject.EMPTY);
        var name = first(text(metadata, "name"), text(event, "name")).orElse(source);
        var uid =
                first(text(metadata, "uid"), text(event, "node_id", "nodeId"))
                        .map(Passport::process)
                        .orElseThrow(() ->
                                new UnreadableEvent(
                                        "the passport of '"
                                                + BusEvent.shortened(name)
                                                + "' has no metadata.uid"));
        var declared =
                spec.array("capabilities")
                        .or(() -> event.array("capabilities"))
                        .orElse(JsonArray.EMPTY);
        var labels =
                metadata.object("labels").or(() -> event.object("labels")).orElse(JsonObject.EMPTY);
        var lease =
                passport.object("status")
                        .flatMap(status -> status.object("lease"))
                        .flatMap(
                                own -> count(own, "lease_duration_seconds", "leaseDurationSeconds"))
                        .filter(seconds -> seconds > 0)
                        .map(seconds -> Duration.ofSeconds(Math.min(seconds, LONGEST_LEASE)))
                        .orElse(otherwise);
        var read =
                new Passport(
                        name,
                        uid,
                        first(
                                        text(metadata, "node_type", "nodeType"),
                                        text(spec, "node_type", "nodeType"),
                                        text(event, "node_type", "nodeType"))
                                .orElse("agent"),
                        capabilities(declared),
                        concurrency(spec),
                        labels(labels),
                        lease);
        try {
            var _ = read.register().withinBounds();
        } catch (MalformedMessage tooMuch) {
            throw new UnreadableEvent(
                    "the passport of '"
                            + BusEvent.shortened(name)
                            + "' declares too much: "
                            + tooMuch.getMessage());
        }
        return read;
    }

    private static List<String> capabilities(JsonArray declared) {
        var names = new LinkedHashSet<String>();
        for (var capability : declared) {
            switch (capability) {
                case JsonString(var name) -> names.add(name);
                case JsonObject described -> text(described, "name").ifPresent(names::add);
                case JsonValue other ->
                        throw new UnreadableEvent(
                                "a capability is neither a text nor an object but " + other.kind());
            }
        }
        return names.stream()
                .filter(name -> !name.isBlank() && name.length() <= LONGEST_NAME)
                .limit(MOST_CAPABILITIES)
                .toList();
    }

    private static int concurrency(JsonObject spec) {
        var resources = spec.object("resources").orElse(JsonObject.EMPTY);
        return resources
                .object("limits")
                .flatMap(limits -> count(limits, "concurrent_tasks", "concurrentTasks"))
                .or(() ->
                        resources
                                .object("requests")
                                .flatMap(own -> count(own, "concurrent_tasks", "concurrentTasks")))
                .or(() -> count(resources, "concurrent_tasks", "concurrentTasks"))
                .map(tasks -> Math.clamp(tasks, 1, MOST_TASKS))
                .orElse(1);
    }

    /// Labels that name capabilities come last: they are known, and there may be too many.
    private static SequencedMap<String, String> labels(JsonObject declared) {
        var labels = new LinkedHashMap<String, String>();
        var names = new ArrayList<String>();
        declared.names().stream()
                .filter(name -> !name.startsWith("capability."))
                .forEach(names::add);
        declared.names().stream()
                .filter(name -> name.startsWith("capability."))
                .forEach(names::add);
        for (var name : names) {
            var value = text(declared, name).orElse(null);
            if (value != null
                    && labels.size() < MOST_LABELS
                    && !name.isEmpty()
                    && name.length() <= Profile.MAX_LABEL_LENGTH
                    && value.length() <= Profile.MAX_LABEL_LENGTH
                    && !name.startsWith("mindbus.")) {
                labels.put(name, value);
            }
        }
        return labels;
    }

    /// An agent of which nothing is known but that it lives.
    static Passport unknown(String name, String uid, List<String> capabilities, Duration lease) {
        return new Passport(name, uid, "agent", capabilities, 1, new LinkedHashMap<>(), lease)
                .provisional(uid);
    }

    /// This agent as another process of it, of which only heartbeats were received.
    Passport provisional(String otherUid) {
        var marked = new LinkedHashMap<>(labels);
        marked.put(PROVISIONAL, ENABLED);
        return new Passport(name, otherUid, nodeType, capabilities, concurrency, marked, lease);
    }

    /// The agent that registered with an earlier process of this orchestrator; empty if it is none of the bus.
    static Optional<Passport> recalled(Register words) {
        var labels = new LinkedHashMap<>(words.profile().labels());
        var seconds = labels.remove(LEASE);
        var uid = words.origin().instance();
        if (seconds == null || uid == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Passport(
                            words.workerId(),
                            uid,
                            words.workerType(),
                            words.profile().names(),
                            words.profile().limits().maxConcurrentTasks(),
                            labels,
                            Duration.ofSeconds(
                                    Math.clamp(Long.parseLong(seconds), 1, LONGEST_LEASE))));
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    /// The same in the form of every worker.
    Register register() {
        var all = new LinkedHashMap<>(labels);
        all.put(LEASE, String.valueOf(Math.max(1, lease.toSeconds())));
        return new Register(
                name,
                nodeType,
                new Register.Origin(uid, null, null),
                new Profile(
                        capabilities.stream().map(Skill::new).toList(),
                        new Limits(concurrency, new LinkedHashMap<>()),
                        Resources.UNKNOWN,
                        List.of(),
                        Costs.UNKNOWN,
                        new LinkedHashMap<>(),
                        all),
                Readiness.IDLE,
                Register.Wishes.NONE);
    }

    @SafeVarargs
    private static Optional<String> first(Optional<String>... texts) {
        for (var text : texts) {
            if (text.isPresent()) {
                return text;
            }
        }
        return Optional.empty();
    }

    /// Which process of an agent has sent `event`; empty if it does not name it.
    static String process(JsonObject event) {
        return text(event, "node_id", "nodeId").map(Passport::process).orElse("");
    }

    /// The name of a process as it is kept: of a long one its digest, as several of each agent are remembered.
    private static String process(String uid) {
        return WorkerInstance.named(uid).value();
    }

    /// The first of `names` that is a text and not blank.
    static Optional<String> text(JsonObject object, String... names) {
        for (var name : names) {
            var found = object.string(name).filter(text -> !text.isBlank());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<JsonObject> object(JsonObject from, String... names) {
        for (var name : names) {
            var found = from.object(name);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Long> count(JsonObject from, String... names) {
        for (var name : names) {
            var found = count(from.get(name).orElse(null));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Long> count(@Nullable JsonValue value) {
        return switch (value) {
            case JsonNumber number when number.isLong() -> Optional.of(number.asLong());
            case JsonNumber number -> Optional.of((long) number.asDouble());
            case JsonString(var text) when text.strip().matches("[0-9]{1,9}") ->
                    Optional.of(Long.valueOf(text.strip()));
            case null, default -> Optional.empty();
        };
    }
}
