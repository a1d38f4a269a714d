package dev.artel.server.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeathsTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final JobId POISON = new JobId("poison");

    @TempDir Path folder;

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("deaths.txt"));
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("deaths.txt"), text, StandardCharsets.ISO_8859_1);
    }

    private static String line(Instant at, String job) {
        return at + " " + job + " artel-jobs-0: an error\n";
    }

    private static Instant before(int days) {
        return NOW.minus(Duration.ofDays(days));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1999-12-31T23:59:59Z",
                "2000-02-29T12:34:56Z",
                "2026-11-22T19:05:07Z",
                "2100-03-01T00:00:01Z"
            })
    void aLine_hasTheTime_theJobAndWhatHappened(String at) throws Exception {
        var deaths = Deaths.in(folder, NOW);

        deaths.add(
                new JobId("poison"),
                Instant.parse(at).getEpochSecond(),
                "artel-coordinator",
                ": x");
        deaths.force();

        assertThat(Files.readAllLines(folder.resolve("deaths.txt")))
                .containsExactly(at + " poison artel-coordinator: x");
    }

    /// Trap: others on the machine read with what jobs the process ended, or write which of them is to be set aside.
    @Test
    void theFile_isForItsOwnerOnly_whetherItIsNewOrWasThere() throws Exception {
        var file = folder.resolve("deaths.txt");
        Deaths.in(folder, NOW);
        assertThat(permissions(file)).isEqualTo("rw-------");

        for (var text : List.of(line(before(1), "poison"), line(before(400), "old"))) {
            write(text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
            Deaths.in(folder, NOW);
            assertThat(permissions(file)).as(text).isEqualTo("rw-------");
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /// Trap: a message of several lines, or of many, makes a file that nobody reads, and jobs that nobody set aside.
    @Test
    void whateverAnErrorSays_isOneLineOfALimitedLength() throws Exception {
        Deaths.in(folder, NOW)
                .add(new JobId("poison"), 0, "a\nb\r\u0000c\u2603", "x".repeat(100_000));

        assertThat(Files.readAllLines(folder.resolve("deaths.txt")))
                .singleElement()
                .asString()
                .startsWith("1970-01-01T00:00:00Z poison a b  c?xxx")
                .hasSizeLessThan(1_000);
    }

    /// Trap: a job with which the process ended long ago is set aside at the next end, which had another cause.
    @Test
    void twoDeathsThatAreFarApart_setNoJobAside() throws Exception {
        write(line(before(365), "poison") + line(before(1), "poison"));

        var deaths = Deaths.in(folder, NOW);

        assertThat(deaths.setAside(POISON)).isEmpty();
        assertThat(deaths.setsAsideAny()).isFalse();
        assertThat(lines()).containsExactly(line(before(1), "poison").strip());
    }

    /// Trap: a job that was set aside ends the process twice again, whenever its lines have become old.
    @Test
    void aJobThatWasSetAside_staysSo_untilItsLinesAreRemoved() throws Exception {
        write(
                line(before(400), "other")
                        + line(before(300), "poison")
                        + line(before(294), "poison"));

        assertThat(Deaths.in(folder, NOW).setAside(POISON))
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .contains("ended 2 times while it worked on this job")
                                .contains("at last at " + before(294)));
        assertThat(lines()).hasSize(2);

        write("");
        assertThat(Deaths.in(folder, NOW).setAside(POISON)).isEmpty();
    }

    @Test
    void theNewestThousandLinesAreKept() throws Exception {
        var text = new StringBuilder();
        for (var i = 0; i < 5_000; i++) {
            text.append(line(NOW.minusSeconds(5_000 - i), "j" + i / 2));
        }
        write(text.toString());

        var deaths = Deaths.in(folder, NOW);

        assertThat(lines()).hasSize(1_000).last().asString().contains(" j2499 ");
        assertThat(deaths.setAside(new JobId("j1999"))).isEmpty();
        assertThat(deaths.setAside(new JobId("j2000"))).isPresent();
    }

    /// Trap: each end has another job, or none that is known, so that no job is set aside and the process ends at each start.
    @Test
    void threeEndsWithinHalfAnHour_areACrashLoop_whicheverJobsTheyHad() throws Exception {
        var early = line(NOW.minusSeconds(1_800), "*") + line(NOW.minusSeconds(1_700), "a");
        write(early + line(NOW.minusSeconds(60), "*").repeat(2));
        assertThat(Deaths.in(folder, NOW).crashLoop()).isEmpty();

        var again = Deaths.in(folder, NOW);
        again.addWithoutJob(NOW.minusSeconds(5).getEpochSecond(), "artel-schedules", ": x");
        again.force();

        assertThat(Deaths.in(folder, NOW).crashLoop())
                .hasValue(
                        "the process ended 3 times in the last 30 minutes, at last at "
                                + NOW.minusSeconds(5)
                                + ", artel-schedules: x");
        assertThat(Deaths.in(folder, NOW.plusSeconds(1_800)).crashLoop()).isEmpty();
    }

    /// Trap: ends without a job push out the lines by which a job is set aside.
    @Test
    void linesWithoutAJob_takeNoPlaceOfOthers() throws Exception {
        write(line(before(1), "poison").repeat(2) + line(NOW.minusSeconds(60), "*").repeat(3_000));

        assertThat(Deaths.in(folder, NOW).setAside(POISON)).isPresent();
        assertThat(lines()).hasSize(22);
    }

    /// Trap: the file of those who may not prevent a start prevents it.
    @Test
    void linesThatNobodyUnderstands_areDropped_andPreventNoStart() throws Exception {
        write(
                "2026-11-24T11:00:00Z not/an/id x: y\n\u00e9\u0000\nyesterday poison x: y\n\n"
                        + line(before(1), "poison")
                        + "2026-11-24T11:00:00Z poison artel-jo");

        var deaths = Deaths.in(folder, NOW);
        deaths.add(POISON, NOW.getEpochSecond(), "artel-jobs-1");

        assertThat(deaths.setAside(POISON)).isPresent();
        assertThat(lines())
                .containsExactly(
                        line(before(1), "poison").strip(),
                        "2026-11-24T11:00:00Z poison artel-jo",
                        "2026-11-24T12:00:00Z poison artel-jobs-1");
    }

    /// Trap: with the clock set back, what has just happened is in the future, and counts as never.
    @Test
    void deathsOfAClockThatWasSetBack_count() throws Exception {
        write(line(before(-40), "poison") + line(before(-40), "poison"));

        assertThat(Deaths.in(folder, NOW).setAside(POISON)).isPresent();
    }
}
