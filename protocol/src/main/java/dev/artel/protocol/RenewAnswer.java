package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;

/// What became of the leases that a worker wanted to renew.
///
/// @param renewed those with a fresh term
/// @param lost those that the worker holds no more; it stops their tasks
/// @param cancel what to stop although it is held: leases or ids of hand-outs
public record RenewAnswer(List<String> renewed, List<Lost> lost, List<String> cancel)
        implements OrchestratorMessage {
    /// Copies the lists.
    public RenewAnswer {
        renewed = List.copyOf(renewed);
        lost = List.copyOf(lost);
        cancel = List.copyOf(cancel);
    }

    /// A lease that is no more.
    ///
    /// @param reason for people
    public record Lost(String leaseToken, String reason) {
        static Lost read(JsonValue value, String path) {
            var fields = Fields.of(value, path);
            return new Lost(fields.id("lease_token"), fields.string("reason", ""));
        }

        JsonObject toJson() {
            return JsonObject.builder()
                    .put("lease_token", leaseToken)
                    .put("reason", reason)
                    .build();
        }
    }

    /// Reads `{"renewed":[...],"lost":[...],"cancel":[...]}`.
    ///
    /// @throws MalformedMessage if a member has the wrong type
    public static RenewAnswer read(JsonValue body) {
        var fields = Fields.of(body, "");
        return new RenewAnswer(
                fields.strings("renewed"),
                fields.list("lost", Lost::read),
                fields.strings("cancel"));
    }

    @Override
    public JsonObject toJson() {
        var leases = lost.stream().map(lease -> (JsonValue) lease.toJson()).toList();
        return JsonObject.builder()
                .put("renewed", JsonArray.ofStrings(renewed))
                .put("lost", new JsonArray(leases))
                .put("cancel", JsonArray.ofStrings(cancel))
                .build();
    }
}
