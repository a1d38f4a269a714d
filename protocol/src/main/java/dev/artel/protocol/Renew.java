package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;

/// Asks for a fresh term of leases.
///
/// @param leaseTokens the leases, or ids of hand-outs where there is no token
/// @param progress what became known since the last renewal; for workers without a socket
public record Renew(String workerId, List<String> leaseTokens, List<Progress> progress)
        implements WorkerMessage {
    /// Copies the lists.
    ///
    /// @throws MalformedMessage if one has more than a worker may have leases
    public Renew {
        Declared.leases(leaseTokens, "lease_tokens");
        Declared.leases(progress, "progress");
        leaseTokens = List.copyOf(leaseTokens);
        progress = List.copyOf(progress);
    }

    /// Reads `{"lease_tokens":[...],"progress":[...]}`.
    ///
    /// @throws MalformedMessage if a member has the wrong type
    public static Renew read(String workerId, JsonValue body) {
        var fields = Fields.of(body, "");
        return new Renew(
                workerId, fields.strings("lease_tokens"), fields.list("progress", Progress::read));
    }

    /// The body.
    public JsonObject toJson() {
        var json = JsonObject.builder().put("lease_tokens", JsonArray.ofStrings(leaseTokens));
        if (!progress.isEmpty()) {
            var reports = progress.stream().map(report -> (JsonValue) report.toJson()).toList();
            json.put("progress", new JsonArray(reports));
        }
        return json.build();
    }
}
