package dev.artel.server.api.cards;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.access.Caller;
import dev.artel.card.CardProblem;
import dev.artel.card.CardReport;
import dev.artel.card.Cards;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonThreads;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.DefinitionsInUse;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Page;
import dev.artel.server.cards.CardLibrary;
import dev.artel.server.cards.CardVersion;
import dev.artel.server.jars.UploadedJars;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.function.Supplier;

/// The process cards, for operators.
public final class CardRoutes {
    private static final List<String> TYPES =
            List.of(
                    "application/yaml",
                    "application/x-yaml",
                    "text/yaml",
                    "text/x-yaml",
                    "application/json");

    /// A card as a member of a JSON body may have twice the bytes: each of its quotes and line ends takes two.
    private static final Bodies PLANS = new Bodies(2 * CardLibrary.MOST_BYTES);

    private final Lifecycle lifecycle;
    private final boolean isEnabled;
    private final Supplier<CardLibrary> cards;
    private final DefinitionsInUse inUse;
    private final Bodies bodies = new Bodies(CardLibrary.MOST_BYTES);

    /// Routes for the cards of one orchestrator.
    ///
    /// @param isEnabled whether cards may be put and deleted
    /// @param cards asked for when the orchestrator is ready
    public CardRoutes(
            Lifecycle lifecycle, EventStore store, boolean isEnabled, Supplier<CardLibrary> cards) {
        this.lifecycle = lifecycle;
        this.isEnabled = isEnabled;
        this.cards = cards;
        inUse = new DefinitionsInUse(lifecycle, store);
    }

    private CardLibrary library() {
        var _ = lifecycle.engine();
        return cards.get();
    }

    private CardLibrary changeable() {
        var library = library();
        if (!isEnabled) {
            throw new HttpRefusal(
                    ErrorCode.UPLOADS_DISABLED,
                    "Uploads are disabled",
                    "blueprints.upload is false; an upload must be allowed in the settings of the"
                            + " orchestrator");
        }
        return library;
    }

    /// Lists the cards by name.
    public void list(Context request, Caller caller) {
        var library = library();
        Page.ofAll(
                request,
                "cards",
                library.names().stream().filter(name -> !library.versions(name).isEmpty()),
                name -> name,
                name -> shown(name, library.versions(name)));
    }

    /// Answers with the versions of the card in the path.
    public void one(Context request, Caller caller) {
        var name = request.pathParam("name");
        var versions = library().versions(name);
        if (versions.isEmpty()) {
            throw notFound();
        }
        Answers.json(request, 200, shown(name, versions));
    }

    /// Answers with a version of a card as it was written.
    public void source(Context request, Caller caller) {
        var found =
                library()
                        .find(request.pathParam("name"), request.pathParam("version"))
                        .orElseThrow(CardRoutes::notFound);
        request.header("ETag", '"' + found.sha256() + '"');
        request.contentType("application/yaml; charset=utf-8").result(found.text());
    }

    /// Takes up the card in the body.
    public void put(Context request, Caller caller) {
        var library = changeable();
        switch (library.take(text(request), CardVersion.UPLOAD)) {
            case CardLibrary.Taken(var card, var warnings) -> {
                request.attribute(ApiAuthenticator.DETAIL, "took up " + card);
                Answers.json(request, 201, shown(card, warnings));
            }
            case CardLibrary.Known(var card, var warnings) -> {
                ApiAuthenticator.changesNothing(request);
                Answers.json(request, 200, shown(card, warnings));
            }
            case CardLibrary.Refused refused -> throw refusal(refused);
            case CardLibrary.Deleted _, CardLibrary.Missing _ ->
                    throw new IllegalStateException("nothing was to be deleted");
        }
    }

    /// Deletes a version of a card that no open job needs.
    public void delete(Context request, Caller caller) {
        var reply =
                changeable()
                        .delete(
                                request.pathParam("name"),
                                request.pathParam("version"),
                                blueprints ->
                                        inUse.any(
                                                blueprints.stream()
                                                        .map(UploadedJars.Definition::of)
                                                        .toList()));
        switch (reply) {
            case CardLibrary.Deleted(var card) -> {
                request.attribute(ApiAuthenticator.DETAIL, "deleted " + card);
                Answers.json(
                        request,
                        200,
                        JsonObject.builder()
                                .put("status", "deleted")
                                .put("needs_restart", true)
                                .build());
            }
            case CardLibrary.Missing _ -> throw notFound();
            case CardLibrary.Refused refused -> throw refusal(refused);
            case CardLibrary.Taken _, CardLibrary.Known _ ->
                    throw new IllegalStateException("nothing was to be taken up");
        }
    }

    /// Answers with everything that is wrong with the card in the body; keeps nothing.
    public void validate(Context request, Caller caller) {
        ApiAuthenticator.changesNothing(request);
        var report = read(text(request));
        var json = JsonObject.builder().put("valid", report.card().isPresent());
        report.card()
                .ifPresent(card -> json.put("name", card.name()).put("version", card.version()));
        Answers.json(request, 200, json.put("problems", problems(report.problems())).build());
    }

    /// Answers with what running a card would come to now; runs and keeps nothing.
    public void plan(Context request, Caller caller) {
        ApiAuthenticator.changesNothing(request);
        var library = library();
        var body = PLANS.object(request, List.of("card", "name", "version", "input"));
        var input =
                switch (body.get("input").orElse(JsonObject.EMPTY)) {
                    case JsonObject object -> object;
                    case JsonValue other ->
                            throw new HttpRefusal(
                                    ErrorCode.INVALID_BODY,
                                    "Invalid input",
                                    "input must be an object, was " + other.kind());
                };
        var report = report(body, library);
        if (report.card().isEmpty()) {
            throw invalid("the card cannot be run:\n" + report.text(), report.problems());
        }
        var document = new PlanDocument(lifecycle.engine(), caller);
        Answers.json(
                request,
                200,
                document.of(report.card().get(), input)
                        .with("problems", problems(report.problems())));
    }

    /// Reading a large card computes for a second.
    private static CardReport read(String text) {
        return JsonThreads.compute(text.length(), () -> Cards.read(text));
    }

    /// What came of reading the card that is written in a body, or named.
    private static CardReport report(JsonObject body, CardLibrary library) {
        if (body.has("card") == body.has("name")) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid body",
                    "a plan is of one of 'card', the text of a card, and 'name', a card that is here");
        }
        if (body.has("card")) {
            return switch (body.get("card").orElseThrow()) {
                case JsonString(var text) -> read(text);
                case JsonObject object -> read(object.toString());
                case JsonValue other ->
                        throw new HttpRefusal(
                                ErrorCode.INVALID_BODY,
                                "Invalid card",
                                "card must be a text or an object, was " + other.kind());
            };
        }
        var name = body.string("name").orElse("");
        var version = body.string("version");
        var found =
                version.isPresent()
                        ? library.find(name, version.get())
                        : library.versions(name).stream().reduce((_, last) -> last);
        return found.map(card -> Cards.readKept(card.text(), card.version()))
                .orElseThrow(CardRoutes::notFound);
    }

    private String text(Context request) {
        var type = String.valueOf(request.contentType()).replaceFirst(";.*", "").strip();
        if (!TYPES.contains(type)) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid content type",
                    "a card is sent as application/yaml or application/json, was '" + type + "'");
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bodies.bytes(request))).toString();
        } catch (CharacterCodingException other) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY, "Invalid body", "a card is a text in UTF-8");
        }
    }

    private static HttpRefusal refusal(CardLibrary.Refused refused) {
        return switch (refused.why()) {
            case INVALID -> invalid(refused.detail(), refused.problems());
            case TAKEN -> new HttpRefusal(ErrorCode.CARD_TAKEN, "Already there", refused.detail());
            case FULL ->
                    new HttpRefusal(ErrorCode.TOO_MANY_CARDS, "Too many cards", refused.detail());
            case NO_STORE ->
                    new HttpRefusal(
                            ErrorCode.UPLOADS_DISABLED, "Uploads are disabled", refused.detail());
            case NEEDED ->
                    new HttpRefusal(ErrorCode.CARD_IN_USE, "Card is in use", refused.detail());
        };
    }

    private static HttpRefusal invalid(String detail, List<CardProblem> problems) {
        return new HttpRefusal(ErrorCode.INVALID_CARD, "Invalid card", detail)
                .withProblems(problems.stream().map(CardProblem::toString).toList());
    }

    private static HttpRefusal notFound() {
        return new HttpRefusal(ErrorCode.CARD_NOT_FOUND, "Card not found");
    }

    private static JsonObject shown(String name, List<CardVersion> versions) {
        return JsonObject.builder()
                .put("name", name)
                .put("version", versions.getLast().version())
                .put(
                        "versions",
                        new JsonArray(versions.stream().<JsonValue>map(CardRoutes::shown).toList()))
                .build();
    }

    private static JsonObject shown(CardVersion card, List<CardProblem> warnings) {
        return JsonObject.of("name", JsonValue.of(card.name()))
                .merge(shown(card))
                .with("problems", problems(warnings));
    }

    private static JsonObject shown(CardVersion card) {
        return JsonObject.builder()
                .put("version", card.version())
                .put("written", card.written())
                .put("revision", card.revision())
                .put("sha256", card.sha256())
                .put("source", card.source())
                .put("taken_at", ApiJson.of(card.takenAt()))
                .build();
    }

    private static JsonArray problems(List<CardProblem> problems) {
        return new JsonArray(problems.stream().<JsonValue>map(CardRoutes::shown).toList());
    }

    private static JsonObject shown(CardProblem problem) {
        var json =
                JsonObject.builder()
                        .put("severity", problem.isError() ? "error" : "warning")
                        .put("line", problem.line())
                        .put("column", problem.column())
                        .put("path", problem.where())
                        .put("message", problem.message());
        problem.suggestion().ifPresent(suggestion -> json.put("suggestion", suggestion));
        return json.build();
    }
}
