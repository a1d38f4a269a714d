package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A worker is known now.
///
/// @param status `registered`
/// @param lease how long the worker will hold a task without a renewal; null from an orchestrator that knows
///     none of the extensions: no leases, renewals, batches, releases and drains
/// @param warning for the worker's operator; null if all is well
public record RegisterAnswer(String status, @Nullable Duration lease, @Nullable String warning)
        implements OrchestratorMessage {
    /// Reads the answer of any generation of orchestrators.
    ///
    /// @throws MalformedMessage if a member has the wrong type
    public static RegisterAnswer read(JsonValue body) {
        var fields = Fields.of(body, "");
        var lease = fields.findCount("lease_ms");
        return new RegisterAnswer(
                fields.string("status", "registered"),
                lease == null ? null : Duration.ofMillis(lease),
                fields.findString("warning"));
    }

    /// This answer with another warning.
    public RegisterAnswer withWarning(String other) {
        return new RegisterAnswer(status, lease, other);
    }

    @Override
    public JsonObject toJson() {
        var json = JsonObject.builder().put("status", status);
        if (lease != null) {
            json.put("lease_ms", lease.toMillis());
        }
        if (warning != null) {
            json.put("warning", warning);
        }
        return json.build();
    }
}
