package dev.artel.actions;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.jayway.jsonpath.PathNotFoundException;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.worker.InvalidInput;

/// `json_query`: a part of a value, by JSONPath (RFC 9535 as the library of Jayway reads it).
final class JsonQueryAction implements BuiltInAction {
    private static final int LONGEST_QUERY = 1_000;

    /// The library, from the first query on: an orchestrator without one need not load it.
    private static final class Library {
        static final Configuration CONFIGURATION = Configuration.defaultConfiguration();

        private Library() {}
    }

    @Override
    public JsonObject run(JsonObject input) {
        var params = new ActionParams("json_query", input).knowing("data", "query", "default");
        var data = params.required("data");
        var query = params.requiredText("query");
        if (query.length() > LONGEST_QUERY) {
            throw new InvalidInput(
                    "json_query: the query has at most "
                            + LONGEST_QUERY
                            + " characters, had "
                            + query.length());
        }
        JsonPath path;
        try {
            path = JsonPath.compile(query);
        } catch (InvalidPathException malformed) {
            throw new InvalidInput(
                    "json_query: '"
                            + query
                            + "' is no JSONPath such as $.items[?(@.price < 10)].name: "
                            + malformed.getMessage(),
                    malformed);
        }
        try {
            return found(read(path, data), true);
        } catch (PathNotFoundException missing) {
            return found(params.value("default").orElse(JsonNull.NULL), false);
        } catch (JsonPathException failed) {
            throw new InvalidInput(
                    "json_query: '" + query + "' does not fit the data: " + failed.getMessage(),
                    failed);
        }
    }

    private static JsonObject found(JsonValue value, boolean isThere) {
        return JsonObject.builder().put("value", value).put("found", isThere).build();
    }

    private static JsonValue read(JsonPath path, JsonValue data) {
        var provider = Library.CONFIGURATION.jsonProvider();
        var parsed = provider.parse(data.toString());
        return switch (path.<Object>read(parsed, Library.CONFIGURATION)) {
            case null -> JsonNull.NULL;
            case String text -> new JsonString(text);
            case Boolean flag -> flag ? JsonBoolean.TRUE : JsonBoolean.FALSE;
            case Number number -> JsonText.read(number.toString());
            case Object other -> JsonText.read(provider.toJson(other));
        };
    }
}
