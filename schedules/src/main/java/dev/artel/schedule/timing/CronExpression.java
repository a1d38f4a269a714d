package dev.artel.schedule.timing;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Times of a wall clock: five fields - minute, hour, day of the month, month, day of the week - or six, with the second in front.
/// Fields have numbers, `*`, lists, ranges and steps (`*/10`), months and days of the week also names; a day of the month may be
/// `L` (the last), a day of the week `5L` (the last Friday) or `5#2` (the second Friday). Where both days are set, either is enough,
/// as in cron. `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` stand for the beginnings of these.
///
/// Immutable; two are equal if their texts are.
public final class CronExpression {
    private static final List<String> FIELDS =
            List.of("second", "minute", "hour", "day of the month", "month", "day of the week");
    private static final Map<String, String> NAMED =
            Map.of(
                    "@hourly", "0 * * * *",
                    "@daily", "0 0 * * *",
                    "@midnight", "0 0 * * *",
                    "@weekly", "0 0 * * 0",
                    "@monthly", "0 0 1 * *",
                    "@yearly", "0 0 1 1 *",
                    "@annually", "0 0 1 1 *");
    static final CronDefinition SYNTAX =
            CronDefinitionBuilder.defineCron()
                    .withSeconds()
                    .and()
                    .withMinutes()
                    .and()
                    .withHours()
                    .and()
                    .withDayOfMonth()
                    .supportsL()
                    .supportsW()
                    .supportsLW()
                    .and()
                    .withMonth()
                    .and()
                    .withDayOfWeek()
                    .withValidRange(0, 7)
                    .withMondayDoWValue(1)
                    .withIntMapping(7, 0)
                    .supportsHash()
                    .supportsL()
                    .and()
                    .instance();

    /// The library also takes what is none of these, such as `1-0-`.
    private static final Pattern ITEM =
            Pattern.compile(
                    "(?:\\*|\\w+|(?<from>\\w+)-(?<to>\\w+))(?:/[1-9]\\d{0,3})?|L|LW|\\d+[LW]|\\d#\\d");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");
    private static final Pattern NEAREST_WORKDAY = Pattern.compile("(\\d{1,4})W");
    private static final int LONGEST = 200;
    private static final int SHORTEST_MONTH = 28;
    private static final int DAY_OF_MONTH = 3;
    private static final int HOUR = 2;

    private final String text;
    private final boolean isEachHour;
    private final CronTimes times;

    private CronExpression(String text, boolean isEachHour, Cron cron) {
        this.text = text;
        this.isEachHour = isEachHour;
        times = CronTimes.of(cron);
    }

    /// Reads an expression.
    ///
    /// @throws IllegalArgumentException with the position and the name of the field that is wrong
    public static CronExpression parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a cron expression has at most "
                            + LONGEST
                            + " characters, had "
                            + text.length());
        }
        var written = text.strip();
        var named = NAMED.get(written.toLowerCase(Locale.ROOT));
        if (written.startsWith("@") && named == null) {
            throw new IllegalArgumentException(
                    "at character 1: '"
                            + written
                            + "' is no known name; there are @hourly, @daily, @weekly, @monthly and"
                            + " @yearly");
        }
        var words = words(named == null ? text : named);
        var given = words.stream().map(Word::text).toList();
        var all = new ArrayList<>(given);
        if (given.size() == FIELDS.size() - 1) {
            all.addFirst("0");
        } else if (given.size() != FIELDS.size()) {
            throw new IllegalArgumentException(
                    "a cron expression has 5 fields, or 6 with the second in front; '"
                            + written
                            + "' has "
                            + given.size());
        }
        for (var i = 0; i < words.size(); i++) {
            check(words.get(i), i + all.size() - words.size());
        }
        var hour = all.get(HOUR);
        try {
            var cron = new CronParser(SYNTAX).parse(String.join(" ", all)).validate();
            var expression =
                    new CronExpression(written, hour.equals("*") || hour.equals("*/1"), cron);
            if (expression.next(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
                throw new IllegalArgumentException(
                        "'" + written + "' is due at no time: no month has such a day");
            }
            return expression;
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(reason(wrong), wrong);
        }
    }

    /// A field as it was written.
    ///
    /// @param at of its first character, from 1
    private record Word(int at, String text) {}

    private static List<Word> words(String text) {
        var words = new ArrayList<Word>();
        var at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
                continue;
            }
            var end = at;
            while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
                end++;
            }
            words.add(new Word(at + 1, text.substring(at, end).toUpperCase(Locale.ROOT)));
            at = end;
        }
        return words;
    }

    /// The library names neither the field nor its position; each field is therefore tried alone.
    private static void check(Word word, int field) {
        var alone = new ArrayList<>(List.of("*", "*", "*", "*", "*", "*"));
        alone.set(field, word.text());
        try {
            for (var item : word.text().split(",", -1)) {
                checkForm(item);
                if (field == DAY_OF_MONTH) {
                    checkNearestWorkday(item);
                }
            }
            var _ = new CronParser(SYNTAX).parse(String.join(" ", alone)).validate();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "at character "
                            + word.at()
                            + ", the "
                            + FIELDS.get(field)
                            + " '"
                            + word.text()
                            + "': "
                            + reason(wrong),
                    wrong);
        }
    }

    private static void checkForm(String item) {
        var form = ITEM.matcher(item);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'" + item + "' is no number, name, range such as 1-5 or step such as */10");
        }
        var from = form.group("from");
        var to = form.group("to");
        if (from != null
                && to != null
                && NUMBER.matcher(from).matches()
                && NUMBER.matcher(to).matches()
                && Integer.parseInt(from) > Integer.parseInt(to)) {
            throw new IllegalArgumentException(
                    "the range " + from + "-" + to + " ends before it begins; write two of them");
        }
    }

    /// The library fails for a month that does not have the day.
    private static void checkNearestWorkday(String item) {
        var day = NEAREST_WORKDAY.matcher(item);
        if (day.matches() && Integer.parseInt(day.group(1)) > SHORTEST_MONTH) {
            throw new IllegalArgumentException(
                    "W takes days up to "
                            + SHORTEST_MONTH
                            + ", which each month has; LW is the last workday of a month");
        }
    }

    private static String reason(IllegalArgumentException wrong) {
        Throwable innermost = wrong;
        while (innermost.getCause() instanceof IllegalArgumentException cause) {
            innermost = cause;
        }
        return String.valueOf(innermost.getMessage());
    }

    /// The first time after `after`; empty if there is none.
    Optional<LocalDateTime> next(LocalDateTime after) {
        try {
            return times.next(after);
        } catch (DateTimeException _) {
            // There is no date behind the last year.
            return Optional.empty();
        }
    }

    /// Whether it is due in every hour of its days, so that it follows the clock through its changes.
    boolean isEachHour() {
        return isEachHour;
    }

    /// The text that was read.
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronExpression cron && cron.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
