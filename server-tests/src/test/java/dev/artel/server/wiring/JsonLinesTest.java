package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.LogRetention;
import dev.artel.json.JsonObject;
import dev.artel.server.api.admin.AuditLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonLinesTest {
    private static final Instant START = Instant.parse("2030-01-31T12:00:00Z");
    private static final LogRetention MONTH = new LogRetention(Duration.ofDays(30), 1 << 20);

    @TempDir Path folder;

    /// Writes `lines` lines of `bytes` bytes each at `now`, and closes the file.
    private void write(Instant now, int lines, int bytes) {
        write("audit.jsonl", now, lines, bytes);
    }

    private void write(String name, Instant now, int lines, int bytes) {
        try (var file = JsonLines.open(folder.resolve(name), MONTH, InstantSource.fixed(now))) {
            for (var i = 0; i < lines; i++) {
                file.add(
                        JsonObject.builder()
                                .put("at", now.toString())
                                .put("act", "x".repeat(bytes))
                                .build());
            }
        }
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static Instant day(int days) {
        return START.plus(Duration.ofDays(days));
    }

    /// Trap: lines that are few are kept forever, and many push each other out after hours.
    @Test
    void linesAreKeptByTime_aDayInAFile() throws IOException {
        write(day(0), 1, 10);
        write(day(0).plusSeconds(60), 1, 10);
        assertThat(files()).containsExactly("audit.jsonl");

        write(day(1), 1, 10);
        write(day(20), 1, 10);

        assertThat(files())
                .containsExactly(
                        "audit.jsonl",
                        "audit.jsonl.20300201T120000000Z",
                        "audit.jsonl.20300220T120000000Z");
        write(day(40), 1, 10);
        assertThat(files())
                .containsExactly(
                        "audit.jsonl",
                        "audit.jsonl.20300220T120000000Z",
                        "audit.jsonl.20300312T120000000Z");
    }

    /// Trap: the name of a file is taken for a glob, in which brackets and braces stand for others.
    @Test
    void aFileWhoseNameHasBracketsOrBraces_isPutAside_readAndRemovedLikeAnyOther()
            throws IOException {
        for (var name : List.of("audit[1].jsonl", "audit{.jsonl")) {
            write(name, day(0), 1, 10);
            write(name, day(20), 1, 10);
            write(name, day(40), 1, 10);
            write(name, day(60), 1, 10);

            assertThat(files())
                    .contains(name, name + ".20300312T120000000Z", name + ".20300401T120000000Z")
                    .doesNotContain(name + ".20300220T120000000Z");
            var reader = new AuditReader(folder.resolve(name));
            var seen = new ArrayList<String>();
            var _ =
                    reader.back(
                            reader.newest().orElseThrow(),
                            line -> {
                                seen.add(line.string("at").orElseThrow());
                                return AuditLines.Step.ON;
                            },
                            1 << 20);
            assertThat(seen).hasSize(3).first().isEqualTo(day(60).toString());
        }
    }

    /// Trap: who changes something all the time fills the disk for 90 days.
    @Test
    void moreThanThereIsRoomFor_isRemovedBeforeItsTime_theOldestFirst() throws IOException {
        for (var i = 0; i < 12; i++) {
            write(START.plusSeconds(i), 30, 10_000);
        }

        var total = 0L;
        for (var file : files()) {
            total += Files.size(folder.resolve(file));
        }
        assertThat(total).isBetween(500_000L, (1L << 20) + 310_000);
        assertThat(Files.readString(folder.resolve("audit.jsonl")))
                .contains(START.plusSeconds(11).toString());
        assertThat(files()).doesNotContain("audit.jsonl.20300131T120001000Z");
    }

    @Test
    void filesOfEarlierVersions_areRemovedInTheirTime_andOthersLeftAlone() throws IOException {
        for (var name :
                List.of("audit.jsonl.1", "audit.jsonl.5", "audit.jsonl.gz", "audit.jsonl.mine")) {
            Files.writeString(folder.resolve(name), "{}\n");
            Files.setLastModifiedTime(folder.resolve(name), FileTime.from(day(-31)));
        }
        Files.setLastModifiedTime(folder.resolve("audit.jsonl.1"), FileTime.from(day(-1)));

        write(START, 1, 10);

        assertThat(files())
                .containsExactly(
                        "audit.jsonl", "audit.jsonl.1", "audit.jsonl.gz", "audit.jsonl.mine");
    }

    /// Trap: a line without a time, or none at all, prevents the start.
    @Test
    void aFileThatBeginsWithSomethingElse_isWrittenOn() throws IOException {
        Files.writeString(folder.resolve("audit.jsonl"), "nonsense\n");

        write(START, 1, 10);

        assertThat(Files.readAllLines(folder.resolve("audit.jsonl"))).hasSize(2);
    }
}
