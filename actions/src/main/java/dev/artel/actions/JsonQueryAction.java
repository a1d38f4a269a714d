package dev.artel.actions;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.jayway.jsonpath.PathNotFoundException;
import com.jayway.jsonpath.spi.json.JsonProvider;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.worker.InvalidInput;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// `json_query`: a part of a value, by JSONPath (RFC 9535 as the library of Jayway reads it).
final class JsonQueryAction implements BuiltInAction {
    private static final int LONGEST_QUERY = 1_000;

    /// Each looks at all values below each value that the one before has found: with three of them a small text takes minutes.
    private static final int MOST_DESCENTS = 2;

    /// Of the result. It may have the same value many times.
    private static final int MOST_VALUES = 200_000;

    /// Of all texts and names of the result: it may have the same large one many times.
    private static final int MOST_CHARACTERS = 8 << 20;

    private static final int LARGEST_EXPONENT = 300;

    /// The library, from the first query on: an orchestrator without one need not load it.
    private final BackgroundCall calls = new BackgroundCall("artel-json-query");

    private static final class Library {
        static final Configuration CONFIGURATION = Configuration.defaultConfiguration();

        private Library() {}
    }

    @Override
    public JsonObject run(JsonObject input, ReadRoom.Reading reading) {
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
        bounded(query);
        if (hasOddNumber(data)) {
            throw new InvalidInput(
                    "json_query: a number in the parameter 'data' is too large or too small for a query, beyond 1e300 or 1e-300");
        }
        JsonPath path;
        try {
            path = JsonPath.compile(query);
        } catch (InvalidPathException _) {
            throw new InvalidInput(
                    "json_query: the parameter 'query' is no JSONPath such as $.items[?(@.price < 10)].name");
        }
        try {
            return found(calls.run(() -> read(path, query, data)), true);
        } catch (PathNotFoundException missing) {
            return found(params.value("default").orElse(JsonNull.NULL), false);
        } catch (JsonPathException _) {
            throw new InvalidInput(
                    "json_query: the parameter 'query' does not fit the data, for example because it asks a text or a number for a member");
        }
    }

    /// Queries come from authors of processes, and from their data: they may take no more than a moment.
    private static void bounded(String query) {
        if (query.contains("=~")) {
            throw new InvalidInput(
                    "json_query: the parameter 'query' has a regular expression (=~), which may take any time; use matches() in a condition of the card");
        }
        if (query.split("\\.\\.", -1).length - 1 > MOST_DESCENTS) {
            throw new InvalidInput(
                    "json_query: the parameter 'query' has '..' more than "
                            + MOST_DESCENTS
                            + " times; name the members that lead to what is looked for");
        }
    }

    /// The library would take it for 0, or for no JSON.
    private static boolean hasOddNumber(JsonValue value) {
        return switch (value) {
            case JsonNumber(BigDecimal decimal) ->
                    Math.abs((long) decimal.precision() - decimal.scale()) > LARGEST_EXPONENT;
            case JsonNumber _ -> false;
            case JsonArray array -> array.values().stream().anyMatch(JsonQueryAction::hasOddNumber);
            case JsonObject object ->
                    object.members().values().stream().anyMatch(JsonQueryAction::hasOddNumber);
            case JsonString _, JsonBoolean _, JsonNull _ -> false;
        };
    }

    private static JsonObject found(JsonValue value, boolean isThere) {
        return JsonObject.builder().put("value", value).put("found", isThere).build();
    }

    private static JsonValue read(JsonPath path, String query, JsonValue data) {
        var provider = Library.CONFIGURATION.jsonProvider();
        var parsed = provider.parse(data.toString());
        var meter = new MeteredJson(provider, query);
        var metered =
                Library.CONFIGURATION
                        .jsonProvider(meter)
                        .mappingProvider(meter.operands(Library.CONFIGURATION.mappingProvider()));
        return switch (path.<Object>read(parsed, metered)) {
            case null -> JsonNull.NULL;
            case String text -> new JsonString(text);
            case Boolean flag -> flag ? JsonBoolean.TRUE : JsonBoolean.FALSE;
            case Number number -> JsonText.read(number.toString());
            case Object other -> {
                new ResultSize(provider).add(other);
                yield JsonText.read(provider.toJson(other));
            }
        };
    }

    /// How much a result has, which becomes a text before it is a value again.
    private static final class ResultSize {
        private final JsonProvider provider;
        private int values;
        private long characters;

        ResultSize(JsonProvider provider) {
            this.provider = provider;
        }

        /// Counts `value` with all that it holds.
        void add(@Nullable Object value) {
            count(value);
            if (value == null) {
                return;
            }
            if (provider.isArray(value)) {
                for (Object each : provider.toIterable(value)) {
                    add(each);
                }
            } else if (provider.isMap(value)) {
                for (var key : provider.getPropertyKeys(value)) {
                    characters += key.length();
                    add(provider.getMapValue(value, key));
                }
            }
        }

        private void count(@Nullable Object value) {
            values++;
            characters += value instanceof String text ? text.length() : 0;
            if (values > MOST_VALUES) {
                throw tooLarge(MOST_VALUES + " values");
            }
            if (characters > MOST_CHARACTERS) {
                throw tooLarge(MOST_CHARACTERS + " characters");
            }
        }

        private static InvalidInput tooLarge(String most) {
            return new InvalidInput(
                    "json_query: the result has more than " + most + "; ask for less");
        }
    }
}
