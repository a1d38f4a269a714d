package dev.artel.server.api.cards;

import dev.artel.access.Caller;
import dev.artel.card.Card;
import dev.artel.card.Cards;
import dev.artel.card.plan.CardPlan;
import dev.artel.card.plan.NeededTask;
import dev.artel.card.plan.PlannedStep;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.Demand;
import dev.artel.server.api.tasks.BudgetDocument;
import dev.artel.server.api.tasks.DemandDocument;
import dev.artel.server.api.tasks.PlacementDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// What running a card would come to now: its steps, and what is there for them.
final class PlanDocument {
    /// How many workers are named for each type of tasks.
    private static final int MOST_WORKERS = 20;

    private static final Duration LATER = Duration.ofSeconds(1);

    private final LocalEngine engine;
    private final Caller caller;

    PlanDocument(LocalEngine engine, Caller caller) {
        this.engine = engine;
        this.caller = caller;
    }

    JsonObject of(Card card, JsonObject input) {
        var plan = Cards.plan(card, input);
        var lacking = new ArrayList<String>();
        var tasks = plan.tasks().stream().map(task -> task(task, card, lacking)).toList();
        var cards = plan.subprocesses().stream().map(each -> card(each, lacking)).toList();
        plan.missingInput()
                .forEach(path ->
                        lacking.add("the input has no '" + path + "', to which a step refers"));
        var json =
                JsonObject.builder()
                        .put("name", card.name())
                        .put("version", card.version())
                        .put("ready", lacking.isEmpty())
                        .put("lacking", JsonArray.ofStrings(lacking))
                        .put("steps", array(plan.steps(), PlanDocument::step))
                        .put("tasks", new JsonArray(tasks))
                        .put("subprocesses", new JsonArray(cards))
                        .put("missing_input", JsonArray.ofStrings(plan.missingInput()));
        plan.budget().ifPresent(budget -> json.put("budget", BudgetDocument.of(budget)));
        return json.build();
    }

    private JsonValue task(NeededTask task, Card card, List<String> lacking) {
        var demand = Demand.NONE.with(task.requirements());
        var forecast =
                engine.forecast(task.type(), demand, card.name(), caller.name(), MOST_WORKERS)
                        .orElseThrow(() ->
                                HttpRefusal.later(LATER, "The dispatcher does not answer in time"));
        var json =
                JsonObject.builder()
                        .put("type", task.type())
                        .put("steps", JsonArray.ofStrings(task.steps()))
                        .put("demand", DemandDocument.of(demand))
                        .put("ready", forecast.obstacle().isEmpty());
        forecast.obstacle()
                .ifPresent(reason -> {
                    json.put("waits_because", PlacementDocument.of(reason));
                    lacking.add(
                            "no worker takes a task of type '"
                                    + task.type()
                                    + "' now: "
                                    + reason.text());
                });
        return json.put("eligibility", PlacementDocument.of(forecast.workers())).build();
    }

    private JsonValue card(CardPlan.NeededCard needed, List<String> lacking) {
        var known = engine.blueprints();
        var isThere =
                needed.version()
                        .map(version -> known.find(needed.name(), version))
                        .orElseGet(() -> known.find(needed.name()))
                        .isPresent();
        var json = JsonObject.builder().put("name", needed.name());
        needed.version().ifPresent(version -> json.put("version", version));
        if (!isThere) {
            lacking.add(
                    "there is no blueprint '"
                            + needed.name()
                            + "'"
                            + needed.version().map(version -> " of version " + version).orElse("")
                            + ", which a step runs as a subprocess");
        }
        return json.put("ready", isThere).build();
    }

    private static JsonValue step(PlannedStep step) {
        var json = JsonObject.builder().put("id", step.id()).put("kind", step.kind());
        step.what().ifPresent(what -> json.put("what", what));
        if (!step.after().isEmpty()) {
            json.put("after", JsonArray.ofStrings(step.after()));
        }
        json.put(
                "ways",
                array(
                        step.ways(),
                        way ->
                                JsonObject.of(
                                        "when",
                                        JsonValue.of(way.when()),
                                        "to",
                                        JsonValue.of(way.to()))));
        if (!step.branches().isEmpty()) {
            json.put(
                    "branches",
                    array(step.branches(), branch -> array(branch, PlanDocument::step)));
        }
        return json.build();
    }

    private static <T> JsonArray array(List<T> all, Function<T, JsonValue> document) {
        return new JsonArray(all.stream().map(document).toList());
    }
}
