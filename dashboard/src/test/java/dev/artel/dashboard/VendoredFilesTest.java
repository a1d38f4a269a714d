package dev.artel.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Files of others are what `VENDOR.md` states.
final class VendoredFilesTest {
    private static final Pattern ROW =
            Pattern.compile(
                    "\\| `([^`]+)` \\| `[^`]+` \\| [\\d.]+ \\| `[^`]+` \\| [\\w.-]+ \\|"
                            + " \\[text\\]\\(([^)]+)\\) \\| `([0-9a-f]{64})` \\|");

    private static Map<String, String> table() throws IOException {
        var rows = new LinkedHashMap<String, String>();
        ROW.matcher(DashboardSources.text("VENDOR.md"))
                .results()
                .forEach(row -> {
                    assertThat(DashboardSources.ROOT.resolve(row.group(2))).isNotEmptyFile();
                    rows.put(row.group(1), row.group(3));
                });
        return rows;
    }

    @Test
    void eachOfThem_isTheFileOfThePackage() throws IOException, NoSuchAlgorithmException {
        for (var row : table().entrySet()) {
            var content = Files.readAllBytes(DashboardSources.ROOT.resolve(row.getKey()));
            var digest = MessageDigest.getInstance("SHA-256").digest(content);

            assertThat(HexFormat.of().formatHex(digest)).as(row.getKey()).isEqualTo(row.getValue());
        }
    }

    @Test
    void noneIsMissingInTheTable() throws IOException {
        var there =
                DashboardSources.ending(".js", ".woff2").stream()
                        .filter(name -> name.startsWith("lib/") || name.startsWith("fonts/"))
                        .toList();

        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(there);
    }
}
