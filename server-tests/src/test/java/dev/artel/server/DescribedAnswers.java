package dev.artel.server;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.api.PublicApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/// Holds the answers that tests get against the description of the API: each answer of a described route that is a success
/// must be described, and each JSON answer must be as its schema states.
public final class DescribedAnswers {
    private static final JsonObject DOCUMENT = read();
    private static final List<Route> ROUTES = routes();

    private DescribedAnswers() {}

    private record Route(Pattern pattern, String path, JsonObject methods) {}

    private static JsonObject read() {
        try (var in = PublicApi.class.getResourceAsStream("openapi.json")) {
            return (JsonObject) JsonText.read(Objects.requireNonNull(in).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("reading openapi.json of the program", e);
        }
    }

    private static List<Route> routes() {
        var routes = new ArrayList<Route>();
        DOCUMENT.object("paths")
                .orElseThrow()
                .members()
                .forEach((path, methods) ->
                        routes.add(
                                new Route(
                                        Pattern.compile(path.replaceAll("\\{[^}]*}", "[^/]+")),
                                        path,
                                        (JsonObject) methods)));
        routes.sort(Comparator.comparing(route -> route.path.contains("{")));
        return List.copyOf(routes);
    }

    /// Fails if `answer` is not as the document describes it.
    public static void check(HttpRequest request, Answer answer) {
        var path = request.uri().getRawPath();
        for (var route : ROUTES) {
            var operation = route.methods.object(request.method().toLowerCase(Locale.ROOT));
            if (operation.isPresent() && route.pattern.matcher(path).matches()) {
                var isOfSomeFields =
                        String.valueOf(request.uri().getRawQuery()).contains("fields=");
                check(request.method() + " " + route.path, operation.get(), answer, isOfSomeFields);
                return;
            }
        }
    }

    private static void check(
            String route, JsonObject operation, Answer answer, boolean isOfSomeFields) {
        var described =
                operation
                        .object("responses")
                        .flatMap(all -> all.object(Integer.toString(answer.status())));
        if (described.isEmpty()) {
            if (answer.status() < 400) {
                throw new AssertionError(
                        route + " is answered with " + answer + ", which is not described");
            }
            return;
        }
        var type = answer.header("Content-Type").orElse("").replaceFirst(";.*", "");
        var schema =
                SchemaCheck.resolve(DOCUMENT, described.get())
                        .object("content")
                        .flatMap(content -> content.object(type))
                        .flatMap(media -> media.object("schema"));
        if (schema.isPresent() && type.endsWith("json") && !answer.text().isEmpty()) {
            var problems =
                    SchemaCheck.problems(DOCUMENT, schema.get(), answer.json()).stream()
                            .filter(problem -> !isOfSomeFields || !problem.contains(" lacks "))
                            .toList();
            if (!problems.isEmpty()) {
                throw new AssertionError(route + ": " + problems + " in " + answer.text());
            }
        }
    }
}
