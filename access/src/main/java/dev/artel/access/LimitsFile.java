package dev.artel.access;

import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// Reads `limits.toml`: a table for each limit that tasks share, named by its key.
public final class LimitsFile {
    /// Its name in the data folder.
    public static final String NAME = "limits.toml";

    private static final List<String> KEYS = List.of("concurrent", "rate", "per", "burst");
    private static final int LARGEST = 1_000_000;
    private static final Pattern SIMPLE = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private LimitsFile() {}

    /// What reading it came to.
    ///
    /// @param problems for which it cannot be used
    public record Reading(List<SharedLimit> limits, List<String> problems, List<String> warnings) {}

    /// The limits of the file in `folder`; none if there is no such file.
    public static Reading read(Optional<Path> folder) {
        var file = folder.map(it -> it.resolve(NAME)).filter(Files::exists);
        if (file.isEmpty()) {
            return new Reading(List.of(), List.of(), List.of());
        }
        var limits = new ArrayList<SharedLimit>();
        var tables = TomlTables.read(file.get(), table -> limit(table).ifPresent(limits::add));
        return new Reading(
                List.copyOf(limits),
                List.copyOf(tables.problems()),
                List.copyOf(tables.warnings()));
    }

    private static Optional<SharedLimit> limit(TomlTables.Table table) {
        var concurrent = table.count("concurrent", 1, LARGEST);
        var tasks = table.count("rate", 1, LARGEST);
        var burst = table.count("burst", 1, LARGEST);
        var per = per(table);
        table.warnOfOthersThan(KEYS);
        if (table.isWrong()) {
            return Optional.empty();
        }
        if (tasks.isPresent() != per.isPresent()) {
            table.problem("", " needs both rate and per, such as rate = 10 and per = \"1s\"");
            return Optional.empty();
        }
        if (burst.isPresent() && tasks.isEmpty()) {
            table.problem(
                    ".burst", " sets how many of a rate may come at once; give rate and per, too");
            return Optional.empty();
        }
        if (concurrent.isEmpty() && tasks.isEmpty()) {
            table.problem("", " limits nothing; give concurrent, or rate and per");
            return Optional.empty();
        }
        try {
            var rate =
                    tasks.map(it ->
                            new Rate(
                                    it.intValue(), per.orElseThrow(), burst.orElse(it).intValue()));
            return Optional.of(
                    new SharedLimit(
                            table.name(),
                            concurrent.isPresent()
                                    ? OptionalInt.of(concurrent.get().intValue())
                                    : OptionalInt.empty(),
                            rate));
        } catch (IllegalArgumentException meaningless) {
            table.problem("", ": " + meaningless.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<Duration> per(TomlTables.Table table) {
        return table.text("per")
                .flatMap(text -> {
                    try {
                        return Optional.of(duration(text));
                    } catch (DateTimeException noTime) {
                        table.problem(
                                ".per", " must be a time such as 1s, 5m or 1h, was '" + text + "'");
                        return Optional.empty();
                    }
                });
    }

    private static Duration duration(String text) {
        var simple = SIMPLE.matcher(text);
        if (!simple.matches()) {
            return Duration.parse(text);
        }
        var number = Long.parseLong(simple.group(1));
        return switch (simple.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
