package dev.artel.examples.catalogue;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.ChildResult;
import dev.artel.blueprint.GuardLimits;
import dev.artel.blueprint.StateHandler;
import dev.artel.examples.catalogue.Article.Description;
import dev.artel.examples.catalogue.Article.Thing;
import java.util.List;

/// A catalogue: an article for each thing, a few at a time, and a list of those that could not be written.
@BlueprintDefinition(
        name = "catalogue",
        initialData = Catalogue.Stock.class,
        guards = @GuardLimits(treeSteps = 50_000))
public final class Catalogue {
    /// What there is.
    public record Stock(List<String> things) {}

    /// The articles, and what has none.
    public record Bound(List<Description> pages, List<String> missing) {}

    /// Each article is a job: it can be looked at, recovered and cancelled by itself.
    @StateHandler(
            value = "write",
            start = true,
            leadsTo = "bind",
            window = 3,
            policy = StateHandler.Policy.SETTLED)
    List<ChildCall<Description>> write(List<String> things) {
        return things.stream()
                .map(thing -> ChildCall.of(Article.ARTICLE, new Thing(thing)))
                .toList();
    }

    /// The articles come in the order of the things, whichever was written first.
    @StateHandler("bind")
    Bound bind(List<String> things, List<ChildResult<Description>> children) {
        var pages = children.stream().flatMap(article -> article.result().stream()).toList();
        var missing =
                children.stream()
                        .filter(article -> !article.hasFinished())
                        .map(article -> things.get(article.index()))
                        .toList();
        return new Bound(pages, missing);
    }
}
