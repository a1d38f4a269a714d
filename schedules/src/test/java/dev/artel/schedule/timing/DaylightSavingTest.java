package dev.artel.schedule.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Cron in zones whose clocks change: by an hour in the north, in America, and by half an hour on Lord Howe Island.
final class DaylightSavingTest {
    private static final List<String> ZONES =
            List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe");

    private static Timing cron(String text, String zone) {
        return new Timing.Cron(CronExpression.parse(text), ZoneId.of(zone));
    }

    private static List<String> ticks(Timing timing, String after, String until) {
        return timing.between(Instant.parse(after), Instant.parse(until), 1000).stream()
                .map(Instant::toString)
                .toList();
    }

    @Test
    void aTickInAGap_runsOnce_atTheFirstInstantAfterIt() {
        // On 29 March 2026 the clocks of Berlin go from 02:00 to 03:00, at 01:00 UTC.
        assertThat(
                        ticks(
                                cron("30 2 * * *", "Europe/Berlin"),
                                "2026-03-28T00:00:00Z",
                                "2026-03-31T00:00:00Z"))
                .containsExactly(
                        "2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    }

    @Test
    void severalTicksInAGap_areOne() {
        assertThat(
                        ticks(
                                cron("0,20,40 2,3 * * *", "Europe/Berlin"),
                                "2026-03-29T00:00:00Z",
                                "2026-03-29T12:00:00Z"))
                .containsExactly(
                        "2026-03-29T01:00:00Z", "2026-03-29T01:20:00Z", "2026-03-29T01:40:00Z");
    }

    @Test
    void aTimeInAnOverlap_runsOnce_atTheFirst() {
        // On 25 October 2026 the clocks of Berlin go from 03:00 back to 02:00, at 01:00 UTC.
        assertThat(
                        ticks(
                                cron("30 2 * * *", "Europe/Berlin"),
                                "2026-10-24T12:00:00Z",
                                "2026-10-26T12:00:00Z"))
                .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    }

    @Test
    void aCursorInTheSecondPassOfAnOverlap_seesNoneOfItsTicks() {
        var timing = cron("*/10 2 * * *", "Europe/Berlin");

        assertThat(timing.next(Instant.parse("2026-10-25T01:10:00Z")))
                .contains(Instant.parse("2026-10-26T01:00:00Z"));
    }

    @Test
    void whatRunsEveryTenMinutes_goesOnThroughBothChanges() {
        for (var zone : List.of("Europe/Berlin", "America/New_York")) {
            var timing = cron("*/10 * * * *", zone);
            var from = Instant.parse("2026-01-01T00:00:00Z");
            var all = timing.between(from, Instant.parse("2027-01-01T00:00:00Z"), 100_000);

            assertThat(all).hasSize(365 * 24 * 6);
            assertThat(all.getFirst()).isEqualTo(from.plusSeconds(600));
        }
    }

    @Test
    void onLordHowe_whereTheClockChangesByHalfAnHour_ticksFollowTheClock() {
        // On 4 October 2026 from 02:00 to 02:30, at 15:30 UTC; on 5 April 2026 from 02:00 back to
        // 01:30, at 15:00 UTC.
        assertThat(
                        ticks(
                                cron("15 2 * * *", "Australia/Lord_Howe"),
                                "2026-10-03T00:00:00Z",
                                "2026-10-05T00:00:00Z"))
                .containsExactly("2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z");
        assertThat(
                        ticks(
                                cron("45 1 * * *", "Australia/Lord_Howe"),
                                "2026-04-03T20:00:00Z",
                                "2026-04-06T00:00:00Z"))
                .containsExactly("2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z");
        assertThat(
                        ticks(
                                cron("*/30 * * * *", "Australia/Lord_Howe"),
                                "2026-04-04T14:00:00Z",
                                "2026-04-04T16:00:00Z"))
                .containsExactly(
                        "2026-04-04T14:30:00Z",
                        "2026-04-04T15:00:00Z",
                        "2026-04-04T15:30:00Z",
                        "2026-04-04T16:00:00Z");
    }

    /// A cron whose fields are sets of numbers, so that what it means needs no library.
    private record Fields(
            TreeSet<Integer> seconds, TreeSet<Integer> minutes, TreeSet<Integer> hours) {
        static Fields of(RandomGenerator random) {
            return new Fields(
                    some(random, 60, 2),
                    some(random, 60, 3),
                    random.nextInt(3) == 0 ? new TreeSet<>() : some(random, 5, 3));
        }

        private static TreeSet<Integer> some(RandomGenerator random, int bound, int most) {
            var numbers = new TreeSet<Integer>();
            for (var i = random.nextInt(most); i >= 0; i--) {
                numbers.add(random.nextInt(bound));
            }
            return numbers;
        }

        String text() {
            return listed(seconds) + " " + listed(minutes) + " " + listed(hours) + " * * *";
        }

        private static String listed(TreeSet<Integer> numbers) {
            return numbers.isEmpty()
                    ? "*"
                    : String.join(",", numbers.stream().map(String::valueOf).toList());
        }

        boolean shows(LocalDateTime time) {
            return seconds.contains(time.getSecond())
                    && minutes.contains(time.getMinute())
                    && (hours.isEmpty() || hours.contains(time.getHour()));
        }
    }

    static Stream<Long> seeds() {
        var one = Long.getLong("seed");
        return (one == null ? LongStream.range(0, 40) : LongStream.of(one)).boxed();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void ticksAroundAChange_areThoseThatEachSecondOfTheClockGives(long seed) {
        var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var fields = Fields.of(random);
        for (var zone : ZONES) {
            var id = ZoneId.of(zone);
            var change =
                    id.getRules()
                            .nextTransition(
                                    Instant.parse("2026-01-01T00:00:00Z")
                                            .plusSeconds(random.nextInt(15_000_000)));
            var from = change.getInstant().minusSeconds(4 * 3600L);
            var until = change.getInstant().plusSeconds(5 * 3600L);

            assertThat(cron(fields.text(), zone).between(from, until, 100_000))
                    .as("%s in %s at %s", fields.text(), zone, change)
                    .containsExactlyElementsOf(expected(fields, id, from, until));
        }
    }

    private static List<Instant> expected(Fields fields, ZoneId zone, Instant from, Instant until) {
        var rules = zone.getRules();
        var found = new TreeSet<Instant>();
        // Wall-clock times, also those that no instant shows.
        var last = LocalDateTime.ofInstant(until, zone).plusHours(2);
        for (var time = LocalDateTime.ofInstant(from, zone).minusHours(2);
                time.isBefore(last);
                time = time.plusSeconds(1)) {
            if (fields.shows(time)) {
                var offsets = rules.getValidOffsets(time);
                var instants = new ArrayList<Instant>();
                for (var offset : offsets) {
                    instants.add(time.toInstant(offset));
                }
                if (fields.hours().isEmpty()) {
                    found.addAll(instants);
                } else {
                    found.add(
                            instants.isEmpty()
                                    ? rules.getTransition(time).getInstant()
                                    : instants.getFirst());
                }
            }
        }
        return found.stream()
                .filter(instant -> instant.isAfter(from) && !instant.isAfter(until))
                .toList();
    }
}
