package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// A worker introduces itself.
///
/// @param workerType a word for people
/// @param warning what the operator of the worker is to mend in what it sends; null if all is well
public record Register(
        String workerId,
        String workerType,
        Origin origin,
        Profile profile,
        Readiness readiness,
        Wishes wishes,
        @Nullable String warning)
        implements WorkerMessage {
    /// A registration that needs no warning.
    public Register(
            String workerId,
            String workerType,
            Origin origin,
            Profile profile,
            Readiness readiness,
            Wishes wishes) {
        this(workerId, workerType, origin, profile, readiness, wishes, null);
    }

    /// How the labels begin that only the orchestrator sets, and by which agents of the bus are known after a restart.
    private static final String MARK = "mindbus.";

    /// The shortest lease that a worker may ask for.
    public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    /// The longest lease that a worker may ask for.
    public static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

    /// Where a worker runs.
    ///
    /// @param instance fresh for each process, so that a restart can be distinguished from a repetition; null for
    ///     workers that do not send one
    public record Origin(
            @Nullable String instance, @Nullable String hostname, @Nullable String ipAddress) {
        /// Nothing is known.
        public static final Origin UNKNOWN = new Origin(null, null, null);
    }

    /// How a worker wants to be treated.
    ///
    /// @param lease how long it wants to hold a task without a sign of life; null for workers that know no leases
    /// @param websocket whether it keeps a socket on which it can receive cancels
    /// @param multiOrchestrator what it declares about the other orchestrators it serves; null if it serves one
    public record Wishes(
            @Nullable Duration lease, boolean websocket, @Nullable JsonObject multiOrchestrator) {
        /// No wishes.
        public static final Wishes NONE = new Wishes(null, false, null);
    }

    /// Reads the registration of any generation of workers. A text that is a number is read as the number where one belongs, with a
    /// warning.
    ///
    /// @throws MalformedMessage if a member has the wrong type, `worker_id` is missing, or it declares more than 1,000 task types or
    ///     65,536 characters
    public static Register read(JsonValue body) {
        var numbers = NumbersInTexts.read(body);
        var fields = Fields.of(numbers.body(), "");
        var capabilities = fields.findObject("capabilities");
        var place = capabilities == null || fields.has("hostname") ? fields : capabilities;
        var multiOrchestrator = fields.findObject("multi_orchestrator_info");
        var register =
                new Register(
                        fields.id("worker_id"),
                        fields.string("worker_type", "generic-worker"),
                        new Origin(
                                fields.findString("instance"),
                                place.findString("hostname"),
                                place.findString("ip_address")),
                        Profile.read(fields),
                        Readiness.read(fields),
                        new Wishes(
                                lease(fields),
                                capabilities != null && capabilities.flag("websockets"),
                                multiOrchestrator == null ? null : multiOrchestrator.object()),
                        numbers.warning().orElse(null));
        return register.withinBounds();
    }

    /// This registration of a process with a name.
    public Register named(String instance) {
        return new Register(
                workerId,
                workerType,
                new Origin(instance, origin.hostname(), origin.ipAddress()),
                profile,
                readiness,
                wishes,
                warning);
    }

    /// Whether it has a label that only the orchestrator sets, for an agent of the bus.
    public boolean isMarked() {
        return profile.labels().keySet().stream().anyMatch(name -> name.startsWith(MARK));
    }

    /// This registration without the labels that only the orchestrator sets, with a warning if it has some.
    public Register unmarked() {
        if (!isMarked()) {
            return this;
        }
        var kept = new LinkedHashMap<>(profile.labels());
        kept.keySet().removeIf(name -> name.startsWith(MARK));
        var why =
                "labels that begin with '"
                        + MARK
                        + "' are those of agents on RabbitMQ, and are left out";
        return new Register(
                workerId,
                workerType,
                origin,
                profile.withLabels(kept),
                readiness,
                wishes,
                warning == null ? why : warning + "; " + why);
    }

    /// This registration, of which all may be kept.
    ///
    /// @throws MalformedMessage if it declares more than 1,000 task types or 65,536 characters
    public Register withinBounds() {
        return Declared.checked(this);
    }

    private static @Nullable Duration lease(Fields fields) {
        var millis = fields.findCount("lease_ms");
        if (millis == null) {
            return null;
        }
        if (millis < SHORTEST_LEASE.toMillis() || millis > LONGEST_LEASE.toMillis()) {
            throw new MalformedMessage(
                    fields.at("lease_ms"),
                    SHORTEST_LEASE.toMillis() + " to " + LONGEST_LEASE.toMillis(),
                    String.valueOf(millis));
        }
        return Duration.ofMillis(millis);
    }

    /// The body in the form that every generation of orchestrators reads.
    public JsonObject toJson() {
        var json = JsonObject.builder().put("worker_id", workerId).put("worker_type", workerType);
        profile.writeTo(json);
        readiness.writeTo(json);
        put(json, "hostname", origin.hostname());
        put(json, "ip_address", origin.ipAddress());
        put(json, "instance", origin.instance());
        if (wishes.lease() != null) {
            json.put("lease_ms", wishes.lease().toMillis());
        }
        if (wishes.websocket()) {
            json.put("capabilities", JsonObject.of("websockets", JsonValue.of(true)));
        }
        if (wishes.multiOrchestrator() != null) {
            json.put("multi_orchestrator_info", wishes.multiOrchestrator());
        }
        return json.build();
    }

    private static void put(JsonObject.Builder json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
