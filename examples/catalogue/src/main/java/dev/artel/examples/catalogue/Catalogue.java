package dev.artel.examples.catalogue;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.annotated.BlueprintDefinition;
import dev.artel.kernel.annotated.GuardLimits;
import dev.artel.kernel.annotated.StateHandler;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.branch.JoinPolicy;
import java.util.List;

/// A catalogue: an article for each thing, a few at a time, and a list of those that could not be written.
@BlueprintDefinition(
        name = "catalogue",
        initialData = Catalogue.Stock.class,
        guards = @GuardLimits(treeSteps = 50_000))
public final class Catalogue {
    /// What there is.
    public record Stock(List<String> things) {}

    /// Each article is a job: it can be looked at, recovered and cancelled by itself.
    @StateHandler(value = "write", start = true, leadsTo = "bind")
    Action write(List<String> things) {
        return Action.runBlueprints(
                        "article", things.stream().map(Catalogue::article).toList(), "bind")
                .withWindow(3)
                .withPolicy(JoinPolicy.SETTLED);
    }

    private static JsonObject article(String thing) {
        return JsonObject.of("name", JsonValue.of(thing));
    }

    /// The articles come in the order of the things, whichever was written first.
    @StateHandler("bind")
    Action bind(List<String> things, List<ChildResult> children) {
        var pages = children.stream().flatMap(article -> article.result().stream()).toList();
        var missing =
                children.stream()
                        .filter(article -> !article.hasFinished())
                        .map(article -> (JsonValue) JsonValue.of(things.get(article.index())))
                        .toList();
        return Action.finish(
                JsonObject.of("pages", new JsonArray(pages), "missing", new JsonArray(missing)));
    }
}
