package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PutValuesFileTest {
    private static final String DIGEST = "ab".repeat(32);

    @TempDir private Path folder;

    private PutValuesFile open(int leases) {
        return new PutValuesFile(folder.resolve(PutValuesFile.NAME), leases);
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
        var values = open(10);
        for (var i = 0; i < 1_000; i++) {
            values.add("lease-" + i, DIGEST, i);
            values.add("one", DIGEST.substring(3) + "%03d".formatted(i), i);
        }

        for (var known : new PutValuesFile[] {values, open(10)}) {
            assertThat(known.has("lease-999", DIGEST, 999)).isTrue();
            assertThat(known.has("lease-900", DIGEST, 900)).isFalse();
            assertThat(known.has("one", DIGEST.substring(3) + "999", 999)).isTrue();
            assertThat(known.has("one", DIGEST.substring(3) + "900", 900)).isFalse();
        }
        assertThat(Files.readAllLines(folder.resolve(PutValuesFile.NAME)))
                .hasSizeLessThan(10 * 16 + 2 * 10 + 2);
    }
}
