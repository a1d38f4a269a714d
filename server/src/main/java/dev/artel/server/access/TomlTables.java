package dev.artel.server.access;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The tables of a TOML file, and all that is wrong with them. What is told never shows a value of a token.
final class TomlTables {
    private static final int WARN_BELOW = 16;

    private final Path file;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private TomlTables(Path file) {
        this.file = file;
    }

    /// One table of the file.
    final class Table {
        private final String name;
        private final JsonObject fields;

        private Table(String name, JsonObject fields) {
            this.name = name;
            this.fields = fields;
        }

        String name() {
            return name;
        }

        void problem(String problem) {
            problems.add(file.getFileName() + ": " + name + problem);
        }

        /// The digest of the table's token.
        Optional<TokenDigest> token() {
            if (fields.has("token") && fields.has("token_sha256")) {
                problem(" has token and token_sha256; keep one of them");
                return Optional.empty();
            }
            if (fields.has("token_sha256")) {
                var digest = text("token_sha256").flatMap(TokenDigest::ofHex);
                if (digest.isEmpty()) {
                    problem(".token_sha256 must be 64 hexadecimal digits");
                }
                return digest;
            }
            if (!fields.has("token")) {
                problem(".token is missing");
                return Optional.empty();
            }
            return text("token")
                    .filter(token -> {
                        var sendable =
                                !token.isEmpty()
                                        && token.length() <= 256
                                        && token.chars().allMatch(c -> c > ' ' && c < 127);
                        if (!sendable) {
                            problem(".token must have 1 to 256 visible ASCII characters");
                        } else if (token.length() < WARN_BELOW) {
                            warnings.add(
                                    file.getFileName()
                                            + ": "
                                            + name
                                            + ".token has only "
                                            + token.length()
                                            + " characters and can be guessed");
                        }
                        return sendable;
                    })
                    .map(TokenDigest::of);
        }

        Optional<String> text(String key) {
            return fields.get(key)
                    .flatMap(value -> {
                        if (value instanceof JsonString(var text)) {
                            return Optional.of(text);
                        }
                        problem("." + key + " must be a string, was " + value.kind());
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
                                "."
                                        + key
                                        + " must be a whole number from "
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
                                "."
                                        + key
                                        + " must be a number from "
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
                    problem("." + key + " must be a table, was " + other.kind());
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
            problem("." + key + " must be a list of names, at least one");
            return List.of();
        }

        /// Warns of keys that mean nothing.
        void warnOfOthersThan(List<String> known) {
            fields.names().stream()
                    .filter(key -> !known.contains(key))
                    .forEach(key ->
                            warnings.add(
                                    file.getFileName()
                                            + ": "
                                            + name
                                            + "."
                                            + key
                                            + " means nothing; there are "
                                            + known));
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
                                file.getFileName()
                                        + ": "
                                        + name
                                        + " must be a table, was "
                                        + value.kind());
                    }
                });
        return tables;
    }

    private JsonObject content() {
        try (var parser = new TomlFactory().createParser(Files.readString(file))) {
            return JsonText.read(parser) instanceof JsonObject object ? object : JsonObject.EMPTY;
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
        } catch (MalformedJson malformed) {
            problems.add(file + " has a value that cannot be used here");
        } catch (IOException broken) {
            problems.add("cannot read " + file + " (" + broken + ")");
        }
        return JsonObject.EMPTY;
    }

    void problem(String problem) {
        problems.add(file.getFileName() + ": " + problem);
    }

    List<String> problems() {
        return problems;
    }

    List<String> warnings() {
        return warnings;
    }
}
