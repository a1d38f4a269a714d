package dev.artel.gateway.http;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.WorkerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the query of a poll: `max`, `available_skills`, `hot_skills` and `timeout`.
final class PollQuery {
    /// The longest time that a poll may ask for, in seconds; what is longer means this.
    private static final double LONGEST = 3600;

    private PollQuery() {}

    /// @param values the values of a parameter; none if it is missing
    /// @throws HttpRefusal if one of them makes no sense
    static WorkerMessage.Poll read(WorkerId worker, Function<String, List<String>> values) {
        try {
            return new WorkerMessage.Poll(
                    worker.value(),
                    number(values.apply("max")),
                    names(values.apply("available_skills")),
                    names(values.apply("hot_skills")),
                    timeout(values.apply("timeout")));
        } catch (MalformedMessage tooMuch) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER, String.valueOf(tooMuch.getMessage()));
        }
    }

    private static int number(List<String> values) {
        if (values.isEmpty()) {
            return 0;
        }
        try {
            var number = Integer.parseInt(values.getFirst());
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // Refused below like a number that makes no sense.
        }
        throw new HttpRefusal(ErrorCode.INVALID_PARAMETER, "max must be a whole number from 1 on");
    }

    /// Named one by one, or with commas between them; some write them as a JSON array.
    private static @Nullable List<String> names(List<String> values) {
        if (values.isEmpty()) {
            return null;
        }
        var names = new ArrayList<String>();
        for (var value : values) {
            for (var part : value.split(",", -1)) {
                var name = bare(part.strip());
                if (!name.isEmpty()) {
                    names.add(name);
                }
            }
        }
        return List.copyOf(names);
    }

    /// `part` without the bracket and the quote at each end.
    private static String bare(String part) {
        var from = part.startsWith("[") ? part.substring(1).stripLeading() : part;
        var both = from.endsWith("]") ? from.substring(0, from.length() - 1).stripTrailing() : from;
        var begin = both.startsWith("\"") ? 1 : 0;
        var end = both.length() > begin && both.endsWith("\"") ? both.length() - 1 : both.length();
        return both.substring(begin, end);
    }

    private static @Nullable Duration timeout(List<String> values) {
        if (values.isEmpty()) {
            return null;
        }
        try {
            var seconds = Double.parseDouble(values.getFirst());
            if (seconds > 0) {
                return Duration.ofMillis((long) Math.ceil(Math.min(seconds, LONGEST) * 1000));
            }
        } catch (NumberFormatException noNumber) {
            // Refused below like a number that makes no sense.
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER, "timeout must be a number of seconds above 0");
    }
}
