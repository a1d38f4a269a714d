package dev.artel.access;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenGrant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tables of a TOML file, and all that is wrong with them, each with its line. No message shows the value of a
/// token.
final class TomlTables {
    private static final int WARN_BELOW = 16;

    private final Path file;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private TomlLines lines = TomlLines.of("");

    private TomlTables(Path file) {
        this.file = file;
    }

    /// One table of the file.
    final class Table {
        private final String name;
        private final JsonObject fields;
        private boolean wrong;

        private Table(String name, JsonObject fields) {
            this.name = name;
            this.fields = fields;
        }

        String name() {
            return name;
        }

        JsonObject fields() {
            return fields;
        }

        /// @param place within the table: `.role`; empty: the table itself
        /// @param problem what is wrong with it
        void problem(String place, String problem) {
            wrong = true;
            problems.add(in(place) + name + place + problem);
        }

        /// Whether something of it is wrong as far as it was read: what it lacks then may follow from that.
        boolean isWrong() {
            return wrong;
        }

        private void warning(String place, String warning) {
            warnings.add(in(place) + name + place + warning);
        }

        private String in(String place) {
            return TomlTables.this.place(name + place) + ": ";
        }

        /// The tokens of the table, each once.
        List<TokenGrant> tokens() {
            var found = new ArrayList<TokenGrant>();
            if (fields.has("token") && fields.has("token_sha256")) {
                problem(
                        "",
                        " has token and token_sha256; keep one of them, or list both in tokens");
            } else {
                digest("", fields).map(TokenGrant::unlimited).ifPresent(found::add);
            }
            if (fields.has("tokens")) {
                listed(found);
            }
            return List.copyOf(found);
        }

        private void listed(List<TokenGrant> found) {
            if (!(fields.get("tokens").orElseThrow() instanceof JsonArray array)) {
                problem(
                        ".tokens",
                        " must be a list of tables such as {token_sha256 = \"...\", expires ="
                                + " \"2030-01-31T00:00:00Z\"}");
                return;
            }
            for (var i = 0; i < array.size(); i++) {
                var place = ".tokens[" + i + "]";
                if (array.values().get(i) instanceof JsonObject one) {
                    var digest = digest(place, one);
                    var expires = expires(place, one);
                    digest.ifPresent(it -> found.add(new TokenGrant(it, expires)));
                    if (!one.has("token") && !one.has("token_sha256")) {
                        problem(place, " must have token or token_sha256");
                    }
                } else {
                    problem(place, " must be a table");
                }
            }
        }

        private Optional<Instant> expires(String place, JsonObject of) {
            var text = of.get("expires");
            if (text.isEmpty()) {
                return Optional.empty();
            }
            try {
                if (text.get() instanceof JsonString(var at)) {
                    return Optional.of(OffsetDateTime.parse(at).toInstant());
                }
            } catch (DateTimeException _) {
                // reported below
            }
            problem(
                    place + ".expires",
                    " must be a time with its zone such as \"2030-01-31T00:00:00Z\", in quotes");
            return Optional.of(Instant.EPOCH);
        }

        /// The digest of the token that `of` has as `token` or as `token_sha256`.
        private Optional<TokenDigest> digest(String place, JsonObject of) {
            if (of.has("token_sha256")) {
                var digest =
                        of.get("token_sha256")
                                .filter(JsonString.class::isInstance)
                                .flatMap(hex -> TokenDigest.ofHex(((JsonString) hex).value()));
                if (digest.isEmpty()) {
                    problem(place + ".token_sha256", " must be 64 hexadecimal digits");
                }
                return digest;
            }
            return of.get("token")
                    .flatMap(value -> {
                        if (value instanceof JsonString(var text)) {
                            return Optional.of(text);
                        }
                        problem(place + ".token", " must be a string, was " + value.kind());
                        return Optional.empty();
                    })
                    .filter(token -> isSendable(place, token))
                    .map(TokenDigest::of);
        }

        private boolean isSendable(String place, String token) {
            var sendable =
                    !token.isEmpty()
                            && token.length() <= 256
                            && token.chars().allMatch(c -> c > ' ' && c < 127);
            if (!sendable) {
                problem(place + ".token", " must have 1 to 256 visible ASCII characters");
            } else if (token.length() < WARN_BELOW) {
                warning(
                        place + ".token",
                        " has only " + token.length() + " characters and can be guessed");
            }
            return sendable;
        }

        Optional<String> text(String key) {
            return fields.get(key)
                    .flatMap(value -> {
                        if (value instanceof JsonString(var text)) {
                            return Optional.of(text);
                        }
                        problem("." + key, " must be a string, was " + value.kind());
                        return Optional.empty();
                    });
        }

        Optional<Long> count(String key, long min, long max) {
            return fields.get(key)
                    .flatMap(value -> {
                        if (value instanceof JsonNumber number
                                && number.isLong()
                                && number.asLong() >= min
                                && number.asLong() <= max) {
                            return Optional.of(number.asLong());
                        }
                        problem(
                                "." + key,
                                " must be a whole number from "
                                        + min
                                        + " to "
                                        + max
                                        + ", was "
                                        + (value instanceof JsonNumber ? value : value.kind()));
                        return Optional.empty();
                    });
        }

        Optional<Double> number(String key, double min, double max) {
            return fields.get(key)
                    .flatMap(value -> {
                        if (value instanceof JsonNumber number
                                && number.asDouble() >= min
                                && number.asDouble() <= max) {
                            return Optional.of(number.asDouble());
                        }
                        problem(
                                "." + key,
                                " must be a number from "
                                        + plain(min)
                                        + " to "
                                        + plain(max)
                                        + ", was "
                                        + (value instanceof JsonNumber ? value : value.kind()));
                        return Optional.empty();
                    });
        }

        private static String plain(double number) {
            return number == Math.rint(number) ? Long.toString((long) number) : "" + number;
        }

        JsonObject table(String key) {
            return switch (fields.get(key).orElse(JsonObject.EMPTY)) {
                case JsonObject object -> object;
                case JsonValue other -> {
                    problem("." + key, " must be a table, was " + other.kind());
                    yield JsonObject.EMPTY;
                }
            };
        }

        List<String> texts(String key) {
            var given = fields.get(key);
            if (given.isEmpty()) {
                return List.of();
            }
            if (given.get() instanceof JsonArray array
                    && !array.values().isEmpty()
                    && array.values().stream()
                            .allMatch(each -> each instanceof JsonString(var t) && !t.isBlank())) {
                return array.values().stream().map(each -> ((JsonString) each).value()).toList();
            }
            problem("." + key, " must be a list of names, at least one");
            return List.of();
        }

        /// Warns of keys that mean nothing.
        void warnOfOthersThan(List<String> known) {
            fields.names().stream()
                    .filter(key -> !known.contains(key))
                    .forEach(key -> warning("." + key, " means nothing; there are " + known));
        }
    }

    /// Reads the tables of `file`.
    ///
    /// @param reading takes each table
    static TomlTables read(Path file, java.util.function.Consumer<Table> reading) {
        var tables = new TomlTables(file);
        tables.content()
                .members()
                .forEach((name, value) -> {
                    if (value instanceof JsonObject fields) {
                        reading.accept(tables.new Table(name, fields));
                    } else {
                        tables.problems.add(
                                tables.place(name)
                                        + ": "
                                        + name
                                        + " must be a table, was "
                                        + value.kind());
                    }
                });
        return tables;
    }

    private JsonObject content() {
        try {
            var text = Files.readString(file);
            try (var parser = new TomlFactory().createParser(text)) {
                lines = TomlLines.of(text);
                return read(parser);
            }
        } catch (JacksonException malformed) {
            var at = malformed.getLocation();
            problems.add(
                    file
                            + " is no TOML"
                            + (at == null
                                    ? ""
                                    : " at line "
                                            + at.getLineNr()
                                            + ", column "
                                            + at.getColumnNr()));
        } catch (IOException broken) {
            problems.add("cannot read " + file + " (" + broken + ")");
        }
        return JsonObject.EMPTY;
    }

    private JsonObject read(JsonParser parser) {
        try {
            return JsonText.read(parser) instanceof JsonObject object ? object : JsonObject.EMPTY;
        } catch (MalformedJson unusable) {
            var path = path(parser.getParsingContext());
            problems.add(
                    place(path)
                            + ": "
                            + path
                            + " has a value that cannot be used here, such as one that is no finite"
                            + " number");
            return JsonObject.EMPTY;
        }
    }

    private static String path(@Nullable JsonStreamContext context) {
        if (context == null || context.inRoot()) {
            return "";
        }
        var before = path(context.getParent());
        return context.inArray()
                ? before + "[" + context.getCurrentIndex() + "]"
                : before + (before.isEmpty() ? "" : ".") + context.getCurrentName();
    }

    /// The name of the file and the line of `path`: `clients.toml:12`.
    ///
    /// @param path `acme.role`, as messages have it
    String place(String path) {
        var line = lines.lineOf(path);
        return file.getFileName() + (line.isPresent() ? ":" + line.getAsInt() : "");
    }

    List<String> problems() {
        return problems;
    }

    List<String> warnings() {
        return warnings;
    }
}
