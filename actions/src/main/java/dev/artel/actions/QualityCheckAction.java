package dev.artel.actions;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;

/// `quality_check`: the language model judges the output of a step, as the `quality_check` of a card wants it.
record QualityCheckAction(BuiltInAction model) implements BuiltInAction {
    private static final String SYSTEM =
            "You judge the work of others. Answer with a JSON object alone: score, a number from 0 (useless) to 1 (perfect)"
                    + " over all criteria by their weights; feedback, what to do better, in two sentences at most.";

    @Override
    public JsonObject run(JsonObject input, ReadRoom.Reading reading) throws Exception {
        var params =
                new ActionParams("quality_check", input)
                        .knowing("output", "criteria", "thresholds", "action", "params", "model");
        var ask =
                JsonObject.builder()
                        .put("system", SYSTEM)
                        .put("prompt", prompt(params))
                        .put("temperature", JsonNumber.of(0L))
                        .put("json", true);
        params.text("model").ifPresent(name -> ask.put("model", name));
        return verdict(model.run(ask.build(), reading));
    }

    private static String prompt(ActionParams params) {
        return "The task was: "
                + params.text("action").orElse("unknown")
                + "\nThe criteria, with weights: "
                + params.value("criteria").orElse(JsonArray.EMPTY)
                + "\nThe output to judge:\n"
                + params.required("output");
    }

    private static JsonObject verdict(JsonObject answer) {
        if (answer.get("json").orElse(JsonNull.NULL) instanceof JsonObject verdict
                && verdict.number("score").isPresent()) {
            var score = Math.clamp(verdict.number("score").get().asDouble(), 0.0, 1.0);
            return JsonObject.builder()
                    .put("score", JsonNumber.of(score))
                    .put("feedback", verdict.get("feedback").orElse(new JsonString("")))
                    .put("metrics", answer.get("metrics").orElse(JsonObject.EMPTY))
                    .build();
        }
        JsonValue found = answer.get("text").orElse(JsonNull.NULL);
        throw new IllegalStateException(
                "quality_check: the model was asked for a score and answered " + found);
    }
}
