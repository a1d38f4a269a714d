package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.Miss;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.Verdict;
import dev.artel.kernel.placement.WaitReason;
import java.util.List;
import java.util.SequencedMap;

/// Why here, and why not yet, as clients see it.
final class PlacementDocument {
    private PlacementDocument() {}

    static JsonObject of(Placement placement) {
        return JsonObject.builder()
                .put("winner", placement.winner().value())
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

    static JsonObject of(WaitReason reason) {
        var json =
                JsonObject.builder()
                        .put("reason", reason.hold().word())
                        .put("text", reason.text())
                        .put("unblock", reason.unblock())
                        .put("workers", reason.workers())
                        .put("refused", counts(reason.refused()))
                        .put("nearest", misses(reason.nearest()));
        reason.until().ifPresent(at -> json.put("until", Values.of(at)));
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

    static JsonArray of(List<Verdict> verdicts) {
        return array(verdicts.stream().map(PlacementDocument::of).toList());
    }

    private static JsonValue of(Verdict verdict) {
        var json =
                JsonObject.builder()
                        .put("worker", verdict.worker().value())
                        .put("takes_it", JsonValue.of(verdict.miss().isEmpty()))
                        .put("text", verdict.text());
        verdict.miss().ifPresent(miss -> put(miss, json));
        return json.build();
    }

    private static JsonArray misses(List<Miss> misses) {
        return array(misses.stream().map(PlacementDocument::of).toList());
    }

    private static JsonValue of(Miss miss) {
        var json = JsonObject.builder().put("worker", miss.worker().value());
        put(miss, json);
        return json.put("text", miss.text()).build();
    }

    private static void put(Miss miss, JsonObject.Builder json) {
        json.put("reason", miss.refusal().word())
                .put("what", miss.what())
                .put("has", miss.has())
                .put("needs", miss.needs());
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
