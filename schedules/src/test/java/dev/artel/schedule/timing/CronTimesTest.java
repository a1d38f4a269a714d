package dev.artel.schedule.timing;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.Cron;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The times are those of the library that reads the expressions.
final class CronTimesTest {
    private static final LocalDateTime BEGIN = LocalDateTime.parse("2026-01-01T00:00:00");

    private static Cron cron(String text) {
        return new CronParser(CronExpression.SYNTAX).parse(text).validate();
    }

    private static Optional<LocalDateTime> ofLibrary(ExecutionTime library, LocalDateTime after) {
        return library.nextExecution(after.atZone(ZoneOffset.UTC))
                .map(time -> time.toLocalDateTime());
    }

    private static void compare(String text, int ticks) {
        var cron = cron(text);
        var times = CronTimes.of(cron);
        var library = ExecutionTime.forCron(cron);
        var after = BEGIN;
        for (var i = 0; i < ticks; i++) {
            var next = times.next(after);
            assertThat(next).as("%s after %s", text, after).isEqualTo(ofLibrary(library, after));
            if (next.isEmpty()) {
                return;
            }
            after = next.get();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "* * * * * *",
                "0 0 0 29 2 *",
                "0 0 12 LW * *",
                "0 0 12 L * *",
                "0 0 12 1W * *",
                "0 0 12 15W 6 *",
                "0 0 12 * * 5#5",
                "0 0 12 * * 0#1",
                "0 0 12 * * 7#1",
                "0 0 12 * * 5L",
                "0 0 12 * * 0L",
                "0 0 12 * * 7L",
                "0 0 12 * * 5L,1#2",
                "0 0 12 13 * FRI",
                "0 0 12 31 * 1#1",
                "0 0 12 */10 * *",
                "0 0 12 5/10 * *",
                "0 0 12 * * */2",
                "0 0 12 * * 1/2",
                "0 0 12 * * MON-FRI/2",
                "0 0 12 * * 5-7",
                "0 0 12 * * FRI-SUN",
                "0 0 12 * * SAT-MON",
                "0 0 12 * * SUN,WED",
                "0 0 12 */1 * MON",
                "0 0 12 13 * */1",
                "0 0 12 1-31 * MON",
                "0 0 12 * JAN-MAR,DEC *",
                "0 0 12 * 2/5 *",
                "7/13 11-50/7 */5 * * *",
                "59 59 23 31 12 *",
            })
    void aTime_isThatOfTheLibrary(String text) {
        compare(text, 60);
    }

    /// The library leaves out days of a list and months of a range over the turn of the year, and takes a Sunday with which a month ends for a workday.
    @Test
    void daysOfAList_monthsOverTheTurnOfTheYear_andWorkdaysAtTheEndOfAMonth_areDue() {
        assertThat(next("0 0 12 15W,L 6 *", "2026-06-16T00:00:00"))
                .isEqualTo("2026-06-30T12:00:00");
        assertThat(next("0 0 12 1 NOV-FEB *", "2026-01-31T00:00:00"))
                .isEqualTo("2026-02-01T12:00:00");
        assertThat(next("0 0 12 1 NOV-FEB *", "2026-02-02T00:00:00"))
                .isEqualTo("2026-11-01T12:00:00");
        assertThat(next("0 0 12 28W * *", "2027-02-01T00:00:00")).isEqualTo("2027-02-26T12:00:00");
    }

    private static LocalDateTime next(String text, String after) {
        return CronTimes.of(cron(text)).next(LocalDateTime.parse(after)).orElseThrow();
    }

    private static String item(RandomGenerator random, int first, int last) {
        var from = random.nextInt(first, last + 1);
        return switch (random.nextInt(6)) {
            case 0 -> from + "-" + random.nextInt(from, last + 1);
            case 1 -> from + "-" + random.nextInt(from, last + 1) + "/" + random.nextInt(1, 7);
            case 2 -> from + "/" + random.nextInt(1, Math.min(last, 20));
            case 3 -> "*/" + random.nextInt(1, Math.min(last, 20));
            default -> Integer.toString(from);
        };
    }

    private static String field(RandomGenerator random, int first, int last, List<String> special) {
        if (random.nextInt(3) == 0) {
            return "*";
        }
        if (!special.isEmpty() && random.nextInt(4) == 0) {
            return special.get(random.nextInt(special.size()));
        }
        var items = new ArrayList<String>();
        for (var i = random.nextInt(1, 4); i > 0; i--) {
            items.add(item(random, first, last));
        }
        return String.join(",", items);
    }

    @Test
    void timesOfExpressionsAtRandom_areThoseOfTheLibrary() {
        var random = new SplittableRandom(1);
        for (var i = 0; i < 1_000; i++) {
            compare(
                    String.join(
                            " ",
                            field(random, 0, 59, List.of()),
                            field(random, 0, 59, List.of()),
                            field(random, 0, 23, List.of()),
                            field(random, 1, 31, List.of("L", "LW", "1W", "15W")),
                            field(random, 1, 12, List.of()),
                            field(random, 0, 6, List.of("5L", "1L", "2#1", "3#5", "MON", "SAT"))),
                    20);
        }
    }
}
