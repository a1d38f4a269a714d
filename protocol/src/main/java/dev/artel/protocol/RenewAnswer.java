package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What became of the leases that a worker wanted to renew.
///
/// @param renewed those with a fresh term
/// @param lost those that the worker holds no more; it stops their tasks
/// @param cancel what to stop although it is held: leases or ids of hand-outs
/// @param reasons what the codes of lost leases mean, once for all leases, in sentences for people
public record RenewAnswer(
        List<String> renewed,
        List<Lost> lost,
        List<String> cancel,
        SequencedMap<String, String> reasons)
        implements OrchestratorMessage {
    /// Copies lists and map.
    public RenewAnswer {
        renewed = List.copyOf(renewed);
        lost = List.copyOf(lost);
        cancel = List.copyOf(cancel);
        reasons = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(reasons));
    }

    /// An answer whose lost leases have their reasons in full.
    public RenewAnswer(List<String> renewed, List<Lost> lost, List<String> cancel) {
        this(renewed, lost, cancel, new LinkedHashMap<>());
    }

    /// A lease that is no more.
    ///
    /// @param reason one of the codes in [RenewAnswer#reasons], or a sentence for people
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

    /// Why a lease is lost, in a sentence for people.
    public String why(Lost lease) {
        return reasons.getOrDefault(lease.reason(), lease.reason());
    }

    /// Reads `{"renewed":[...],"lost":[...],"cancel":[...],"reasons":{"code":"sentence"}}`.
    ///
    /// @throws MalformedMessage if a member has the wrong type
    public static RenewAnswer read(JsonValue body) {
        var fields = Fields.of(body, "");
        return new RenewAnswer(
                fields.strings("renewed"),
                fields.list("lost", Lost::read),
                fields.strings("cancel"),
                reasons(fields));
    }

    private static SequencedMap<String, String> reasons(Fields fields) {
        var reasons = new LinkedHashMap<String, String>();
        for (var member : fields.object("reasons").members().entrySet()) {
            var path = fields.at("reasons") + "." + member.getKey();
            reasons.put(member.getKey(), Fields.text(member.getValue(), path));
        }
        return reasons;
    }

    @Override
    public JsonObject toJson() {
        var leases = lost.stream().map(lease -> (JsonValue) lease.toJson()).toList();
        var json =
                JsonObject.builder()
                        .put("renewed", JsonArray.ofStrings(renewed))
                        .put("lost", new JsonArray(leases))
                        .put("cancel", JsonArray.ofStrings(cancel));
        if (reasons.isEmpty()) {
            return json.build();
        }
        var sentences = JsonObject.builder();
        reasons.forEach(sentences::put);
        return json.put("reasons", sentences.build()).build();
    }
}
