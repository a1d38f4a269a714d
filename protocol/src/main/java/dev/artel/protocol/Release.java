package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;

/// Gives back tasks that were handed out but not begun.
///
/// @param leaseTokens the leases, or ids of hand-outs where there is no token
/// @param reason why, for people
public record Release(String workerId, List<String> leaseTokens, String reason)
        implements WorkerMessage {
    /// Copies `leaseTokens`.
    public Release {
        Declared.leases(leaseTokens, "lease_tokens");
        leaseTokens = List.copyOf(leaseTokens);
    }

    /// Reads `{"worker_id","lease_tokens":[...],"reason"}`.
    ///
    /// @throws MalformedMessage if a member has the wrong type or `worker_id` is missing
    public static Release read(JsonValue body) {
        var fields = Fields.of(body, "");
        return new Release(
                fields.id("worker_id"),
                fields.strings("lease_tokens"),
                fields.string("reason", "the worker gave no reason"));
    }

    /// The body.
    public JsonObject toJson() {
        return JsonObject.builder()
                .put("worker_id", workerId)
                .put("lease_tokens", JsonArray.ofStrings(leaseTokens))
                .put("reason", reason)
                .build();
    }
}
