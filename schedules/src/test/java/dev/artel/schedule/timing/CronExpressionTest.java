package dev.artel.schedule.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CronExpressionTest {
    private static List<String> days(String cron, int most) {
        return new Timing.Cron(CronExpression.parse(cron), ZoneOffset.UTC)
                        .between(
                                Instant.parse("2026-01-01T00:00:00Z"),
                                Instant.parse("2040-01-01T00:00:00Z"),
                                most)
                        .stream()
                        .map(tick -> tick.toString().substring(0, 16))
                        .toList();
    }

    @Test
    void fiveFieldsBeginWithTheMinute_sixWithTheSecond() {
        assertThat(
                        new Timing.Cron(CronExpression.parse("30 2 * * *"), ZoneOffset.UTC)
                                .next(Instant.parse("2026-01-01T00:00:00Z")))
                .contains(Instant.parse("2026-01-01T02:30:00Z"));
        assertThat(
                        new Timing.Cron(CronExpression.parse("*/7 30 2 * * *"), ZoneOffset.UTC)
                                .next(Instant.parse("2026-01-01T02:30:00Z")))
                .contains(Instant.parse("2026-01-01T02:30:07Z"));
    }

    @Test
    void daysOfTheWeek_areNumbersAndNames_withSundayAs0And7() {
        // 1 January 2026 is a Thursday.
        assertThat(days("0 6 * * MON-WED", 4))
                .containsExactly(
                        "2026-01-05T06:00",
                        "2026-01-06T06:00",
                        "2026-01-07T06:00",
                        "2026-01-12T06:00");
        assertThat(days("0 6 * * 0", 2)).isEqualTo(days("0 6 * * 7", 2));
        assertThat(days("0 6 * * sun", 1)).containsExactly("2026-01-04T06:00");
        assertThat(days("0 6 * * 5", 1)).containsExactly("2026-01-02T06:00");
    }

    @Test
    void theLastDay_theSecondFriday_andTheLastFriday_areKnown() {
        assertThat(days("0 6 L * *", 2)).containsExactly("2026-01-31T06:00", "2026-02-28T06:00");
        assertThat(days("0 6 * * 5#2", 2)).containsExactly("2026-01-09T06:00", "2026-02-13T06:00");
        assertThat(days("0 6 * * 5L", 2)).containsExactly("2026-01-30T06:00", "2026-02-27T06:00");
    }

    @Test
    void theNearestWorkday_isKnownForDaysOfEachMonth_andTheLastOne() {
        assertThat(days("0 6 28W * *", 2)).containsExactly("2026-01-28T06:00", "2026-02-27T06:00");
        assertThat(days("0 6 LW * *", 2)).containsExactly("2026-01-30T06:00", "2026-02-27T06:00");
    }

    @Test
    void behindTheLastYear_nothingIsDue() {
        assertThat(CronExpression.parse("0 6 31 12 *").next(LocalDateTime.MAX.minusHours(1)))
                .isEmpty();
    }

    @Test
    void whereBothDaysAreSet_eitherIsEnough() {
        assertThat(days("0 6 13 * FRI", 4))
                .containsExactly(
                        "2026-01-02T06:00",
                        "2026-01-09T06:00",
                        "2026-01-13T06:00",
                        "2026-01-16T06:00");
    }

    @Test
    void theThirtyFirst_isLeftOutInShortMonths_andALeapDayIsFound() {
        assertThat(days("0 6 31 * *", 3))
                .containsExactly("2026-01-31T06:00", "2026-03-31T06:00", "2026-05-31T06:00");
        assertThat(days("0 6 29 2 *", 2)).containsExactly("2028-02-29T06:00", "2032-02-29T06:00");
    }

    @Test
    void names_standForTheBeginningsOfTimes() {
        assertThat(days("@daily", 1)).containsExactly("2026-01-02T00:00");
        assertThat(days("@weekly", 1)).containsExactly("2026-01-04T00:00");
        assertThat(days("@monthly", 1)).containsExactly("2026-02-01T00:00");
        assertThat(days("@yearly", 1)).containsExactly("2027-01-01T00:00");
        assertThat(days("@hourly", 1)).containsExactly("2026-01-01T01:00");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    61 2 * * *      | at character 1, the minute '61'
                    0 25 * * *      | at character 3, the hour '25'
                    0 2  32 * *     | at character 6, the day of the month '32'
                    0 2 * XYZ *     | at character 7, the month 'XYZ'
                    0 2 * * 8       | at character 9, the day of the week '8'
                    0 0 2 * * ?x    | at character 11, the day of the week '?X'
                    */x * * * *     | at character 1, the minute '*/X'
                    1-0- * * * *    | at character 1, the minute '1-0-'
                    * * *           | has 3
                    */0 * * * *     | at character 1, the minute '*/0'
                    0 22-2 * * *    | the range 22-2 ends before it begins
                    0 6 31W * *     | at character 5, the day of the month '31W': W takes days up to 28
                    0 6 1,29W 3 *   | at character 5, the day of the month '1,29W'
                    0 6 30 2 *      | is due at no time
                    @hurly          | no known name
                    """)
    void whatIsWrong_isNamedWithItsPosition(String cron, String reason) {
        assertThatThrownBy(() -> CronExpression.parse(cron))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void anUnknownZone_isAnsweredWithTheNearest() {
        assertThatThrownBy(() -> TimeZones.of("Europe/Berln"))
                .hasMessageContaining("did you mean Europe/Berlin?");
    }

    @Test
    void anInterval_countsFromItsAnchor() {
        var timing =
                new Timing.Interval(Duration.ofSeconds(90), Instant.parse("2026-01-01T00:00:10Z"));

        assertThat(timing.next(Instant.parse("2025-01-01T00:00:00Z")))
                .contains(Instant.parse("2026-01-01T00:00:10Z"));
        assertThat(timing.next(Instant.parse("2026-01-01T00:00:10Z")))
                .contains(Instant.parse("2026-01-01T00:01:40Z"));
        assertThat(timing.next(Instant.parse("2026-01-01T00:02:00Z")))
                .contains(Instant.parse("2026-01-01T00:03:10Z"));
    }

    /// Trap: a month in which each second is due has millions of ticks, and those before the last ones are looked at.
    @Test
    void theLatestTicks_ofATimeWithMillionsOfThem_areFound() {
        var timing = new Timing.Cron(CronExpression.parse("* * * * 2 *"), ZoneOffset.UTC);

        assertThat(
                        timing.latest(
                                Instant.parse("2000-01-01T00:00:00Z"),
                                Instant.parse("2027-01-01T00:00:00Z"),
                                2))
                .containsExactly(
                        Instant.parse("2026-02-28T23:59:58Z"),
                        Instant.parse("2026-02-28T23:59:59Z"));
    }

    @Test
    void theLatestTicks_areFoundFromTheEnd_howeverLongAgoTheBeginningIs() {
        var timing =
                new Timing.Interval(Duration.ofSeconds(1), Instant.parse("1990-01-01T00:00:00Z"));
        var until = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(timing.latest(Instant.EPOCH, until, 3))
                .containsExactly(until.minusSeconds(2), until.minusSeconds(1), until);
        assertThat(timing.latest(until.minusSeconds(2), until, 3))
                .containsExactly(until.minusSeconds(1), until);
    }
}
