package dev.artel.server.run;

import dev.artel.config.SettingParsers;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a person wants to run.
///
/// @param card the file
/// @param input of the process
/// @param events that the process may wait for, by name, with what comes along
/// @param approves whether all that people are asked to decide is approved
/// @param isQuiet whether nothing but the result is shown
/// @param within how long it may take
/// @param url the orchestrator that runs it; empty: one of its own
/// @param settings of the orchestrator, as flags
public record RunArguments(
        Path card,
        JsonObject input,
        SequencedMap<String, JsonValue> events,
        boolean approves,
        boolean isQuiet,
        Duration within,
        Optional<URI> url,
        List<String> settings) {
    /// The options.
    public static final String USAGE =
            """
            usage: ./artel run CARD.yaml [--input NAME=VALUE]... [--inputs FILE.json] [OPTION]... [--SETTING VALUE]...
              --input NAME=VALUE  what the card has as ${input.NAME}; VALUE is JSON, or else a text
              --inputs FILE       an object of such values, in JSON; --input wins over it
              --event NAME=VALUE  an event that the process may wait for; it is sent at the start
              --approve           approves what people are asked to decide, instead of asking at the terminal;
                                  without it and without a terminal the run ends where it asks (exit code 1),
                                  unless that is too late before --timeout, or --url names where people decide
              --timeout TIME      how long it may take, such as 30s or 2h; 1h unless set otherwise
              --quiet             shows the result alone
              --url URL           has the orchestrator there take up the card and run it, with the token of an
                                  operator in ARTEL_TOKEN; it has to allow that (blueprints.upload)
              --SETTING VALUE     settings of the orchestrator that runs it, such as --actions.http-hosts,
                                  --actions.llm-url; ./artel up --help lists all. Without --data, its data
                                  are in a folder that is removed at the end
            cards in the same folder can be its subprocesses. The result is on the standard output, progress
            on the standard error. Exit code 0: it has succeeded; 1: it has failed, was cancelled or waits
            for a person; 2: the card or an option is wrong; 3: it took too long\
            """;

    private static final String INPUT = "--input";

    /// What is wrong with the arguments, for the person who wrote them.
    public static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    /// Reads arguments.
    ///
    /// @throws Wrong if one of them has no sense
    public static RunArguments read(List<String> arguments) {
        var input = new LinkedHashMap<String, JsonValue>();
        var file = JsonObject.EMPTY;
        var events = new LinkedHashMap<String, JsonValue>();
        var approves = false;
        var isQuiet = false;
        var within = Duration.ofHours(1);
        var url = Optional.<URI>empty();
        var settings = new ArrayList<String>();
        Path card = null;
        var rest = new ArrayList<>(arguments);
        while (!rest.isEmpty()) {
            var argument = rest.removeFirst();
            switch (argument) {
                case INPUT -> put(input, argument, value(argument, rest));
                case "--inputs" -> file = object(path(value(argument, rest)));
                case "--event" -> put(events, argument, value(argument, rest));
                case "--approve" -> approves = true;
                case "--quiet" -> isQuiet = true;
                case "--url" -> url = Optional.of(uri(value(argument, rest)));
                case "--timeout" -> within = time(value(argument, rest));
                default -> {
                    if (argument.startsWith("-")) {
                        settings.add(argument);
                        if (!argument.equals("--strict")
                                && !argument.contains("=")
                                && !rest.isEmpty()
                                && !rest.getFirst().startsWith("-")) {
                            settings.add(rest.removeFirst());
                        }
                    } else if (card == null) {
                        card = path(argument);
                    } else {
                        throw new Wrong(
                                "one card is run at a time, were " + card + " and " + argument);
                    }
                }
            }
        }
        if (card == null) {
            throw new Wrong("no card is named; such as ./artel run examples/cards/hello.yaml");
        }
        var all = new LinkedHashMap<>(file.members());
        all.putAll(input);
        return new RunArguments(
                card, new JsonObject(all), events, approves, isQuiet, within, url, settings);
    }

    private static String value(String option, List<String> rest) {
        if (rest.isEmpty()) {
            throw new Wrong(option + " needs a value");
        }
        return rest.removeFirst();
    }

    private static void put(SequencedMap<String, JsonValue> values, String option, String text) {
        var place = text.indexOf('=');
        if (place < 1) {
            throw new Wrong(option + " is like " + option + " name=Ada, was " + text);
        }
        values.put(text.substring(0, place), json(text.substring(place + 1)));
    }

    private static JsonValue json(String text) {
        try {
            return JsonText.read(text);
        } catch (MalformedJson noJson) {
            return new JsonString(text);
        }
    }

    private static URI uri(String text) {
        try {
            var uri = new URI(text);
            if (uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new Wrong("--url is an address such as http://127.0.0.1:8080, was '" + text + "'");
    }

    private static Duration time(String text) {
        try {
            return SettingParsers.duration(text);
        } catch (IllegalArgumentException wrong) {
            throw new Wrong("--timeout " + wrong.getMessage());
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException wrong) {
            throw new Wrong("'" + text + "' is no path: " + wrong.getReason());
        }
    }

    private static JsonObject object(Path file) {
        try {
            if (JsonText.read(Files.readAllBytes(file)) instanceof JsonObject object) {
                return object;
            }
            throw new Wrong("--inputs: the file " + file + " must have a JSON object");
        } catch (IOException unreadable) {
            throw new Wrong("--inputs: " + unreadable(file, unreadable));
        } catch (MalformedJson broken) {
            throw new Wrong("--inputs: the file " + file + " is no JSON: " + broken.getMessage());
        }
    }

    /// Why there is nothing to be read in `file`, for people.
    static String unreadable(Path file, IOException why) {
        return switch (why) {
            case NoSuchFileException _ -> "there is no file " + file;
            case AccessDeniedException _ -> "the file " + file + " may not be read";
            default -> "the file " + file + " cannot be read: " + why.getMessage();
        };
    }
}
