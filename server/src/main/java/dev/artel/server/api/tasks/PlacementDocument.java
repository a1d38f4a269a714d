package dev.artel.server.api.tasks;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.UnmetRequirement;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.server.api.http.ApiJson;
import java.util.List;
import java.util.SequencedMap;

/// Why here, and why not yet, as clients see it.
public final class PlacementDocument {
    private PlacementDocument() {}

    /// Why a task went to its worker.
    public static JsonObject of(Placement placement) {
        return JsonObject.builder()
                .put("winner", placement.winner().value())
                .put("wire", placement.wire())
                .put("because", placement.because())
                .put("best", array(placement.best().stream().map(PlacementDocument::of).toList()))
                .put("refused", counts(placement.refused()))
                .put("nearest", misses(placement.nearest()))
                .put("fleet", placement.fleet())
                .build();
    }

    /// A figure that is not known is null.
    private static JsonValue of(Placement.Candidate candidate) {
        var score = JsonObject.builder();
        for (var figure : candidate.score()) {
            score.put(figure.name(), number(figure.value()));
        }
        return JsonObject.builder()
                .put("worker", candidate.worker().value())
                .put("wire", candidate.wire())
                .put("score", score.build())
                .build();
    }

    private static JsonValue number(double value) {
        if (!Double.isFinite(value)) {
            return JsonNull.NULL;
        }
        var rounded = Math.rint(value * 10_000) / 10_000;
        return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
                ? JsonNumber.of((long) rounded)
                : JsonNumber.of(rounded);
    }

    /// Why a task has no worker yet.
    public static JsonObject of(WaitReason reason) {
        var json =
                JsonObject.builder()
                        .put("reason", reason.hold().word())
                        .put("text", reason.text())
                        .put("unblock", reason.unblock())
                        .put("workers", reason.workers())
                        .put("refused", counts(reason.refused()))
                        .put("nearest", misses(reason.nearest()));
        reason.until().ifPresent(at -> json.put("until", ApiJson.of(at)));
        if (reason.hold() instanceof WaitReason.Limited limited) {
            json.put("limit", limit(limited));
        }
        reason.turn().ifPresent(turn -> json.put("turn", turn(turn)));
        return json.build();
    }

    private static JsonObject limit(WaitReason.Limited limited) {
        var json = JsonObject.builder().put("key", limited.key());
        limited.used().ifPresent(used -> json.put("used", used));
        limited.most().ifPresent(most -> json.put("most", most));
        return json.build();
    }

    private static JsonObject turn(WaitReason.Turn turn) {
        return JsonObject.builder()
                .put("priority", JsonNumber.of(turn.priority()))
                .put("clients", turn.clients())
                .put("jobs", turn.jobs())
                .put("tasks_before", turn.tasks())
                .build();
    }

    /// What is true of single workers.
    public static JsonArray of(List<Eligibility> eligibilities) {
        return array(eligibilities.stream().map(PlacementDocument::of).toList());
    }

    private static JsonValue of(Eligibility eligibility) {
        var json =
                JsonObject.builder()
                        .put("worker", eligibility.worker().value())
                        .put("wire", eligibility.wire())
                        .put("takes_it", JsonValue.of(eligibility.unmetRequirement().isEmpty()))
                        .put("text", eligibility.text());
        eligibility.unmetRequirement().ifPresent(unmetRequirement -> put(unmetRequirement, json));
        return json.build();
    }

    private static JsonArray misses(List<UnmetRequirement> unmetRequirements) {
        return array(unmetRequirements.stream().map(PlacementDocument::of).toList());
    }

    private static JsonValue of(UnmetRequirement unmetRequirement) {
        var json =
                JsonObject.builder()
                        .put("worker", unmetRequirement.worker().value())
                        .put("wire", unmetRequirement.wire());
        put(unmetRequirement, json);
        return json.put("text", unmetRequirement.text()).build();
    }

    private static void put(UnmetRequirement unmetRequirement, JsonObject.Builder json) {
        json.put("reason", unmetRequirement.refusal().word())
                .put("what", unmetRequirement.what())
                .put("has", unmetRequirement.has())
                .put("needs", unmetRequirement.needs());
    }

    private static JsonObject counts(SequencedMap<Refusal, Integer> refused) {
        var json = JsonObject.builder();
        refused.forEach((refusal, count) -> json.put(refusal.word(), count));
        return json.build();
    }

    private static JsonArray array(List<JsonValue> values) {
        return new JsonArray(values);
    }
}
