package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PutValuesFileTest {
    private static final String DIGEST = "ab".repeat(32);

    @TempDir private Path folder;

    private PutValuesFile open(int most) {
        return new PutValuesFile(folder.resolve(PutValuesFile.NAME), most);
    }

    @Test
    void aValue_isOfTheLeaseUnderWhichItWasPut_alsoAfterARestart() throws Exception {
        open(10).add("lease-1", DIGEST, 70_000);
        var file = folder.resolve(PutValuesFile.NAME);
        Files.writeString(file, "{\"lease\":\"to", StandardOpenOption.APPEND);

        var values = open(10);

        assertThat(values.has("lease-1", DIGEST, 70_000)).isTrue();
        assertThat(values.has("lease-1", DIGEST, 70_001)).isFalse();
        assertThat(values.has("lease-2", DIGEST, 70_000)).isFalse();
        assertThat(values.has("lease-1", "cd".repeat(32), 70_000)).isFalse();
        assertThat(Files.readString(file)).doesNotContain("lease-1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /// Trap: each value that was ever put takes memory, and a line.
    @Test
    void ofManyLeasesAndValues_theLastAreKept() throws Exception {
        var values = open(40);
        for (var i = 0; i < 1_000; i++) {
            values.add("lease-" + i, DIGEST, i);
            values.add("one", DIGEST.substring(3) + "%03d".formatted(i), i);
        }

        for (var known : new PutValuesFile[] {values, open(40)}) {
            assertThat(known.has("lease-999", DIGEST, 999)).isTrue();
            assertThat(known.has("lease-900", DIGEST, 900)).isFalse();
            assertThat(known.has("one", DIGEST.substring(3) + "999", 999)).isTrue();
            assertThat(known.has("one", DIGEST.substring(3) + "900", 900)).isFalse();
        }
        assertThat(Files.readAllLines(folder.resolve(PutValuesFile.NAME)))
                .hasSizeLessThan(2 * 40 + 2);
    }

    /// Trap: with many values under each lease the file is written anew for each value, and all who ask wait for that.
    @Test
    void ofLeasesWithManyValues_theFileIsWrittenAnewOnceInAsManyValuesAsItKeeps() throws Exception {
        var values = open(100);
        var file = folder.resolve(PutValuesFile.NAME);
        var files = 0;
        var before = new Object();
        for (var i = 0; i < 2_000; i++) {
            values.add("lease-" + i / 16, DIGEST.substring(4) + "%04d".formatted(i), i);
            var now = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            if (!now.equals(before)) {
                files++;
                before = now;
            }
        }

        assertThat(files).isLessThanOrEqualTo(2_000 / 100 + 1);
        for (var known : new PutValuesFile[] {values, open(100)}) {
            assertThat(known.has("lease-124", DIGEST.substring(4) + "1999", 1_999)).isTrue();
            assertThat(known.has("lease-117", DIGEST.substring(4) + "1887", 1_887)).isFalse();
        }
    }
}
