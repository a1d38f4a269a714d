package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class VersionsTest {
    @Test
    void versions_areInTheOrderInWhichPeopleWriteThem() {
        assertThat(
                        Stream.of("2", "1.10", "10", "1.9", "2-beta", "2.1", "1", "2-beta.2", "x")
                                .sorted(Versions.ORDER))
                .containsExactly("1", "1.9", "1.10", "2-beta", "2-beta.2", "2", "2.1", "10", "x");
    }

    /// Trap: two versions that are written differently are taken for one.
    @Test
    void versionsThatAreWrittenDifferently_areDifferent() {
        assertThat(Versions.ORDER.compare("1", "01")).isNotZero();
        assertThat(Versions.ORDER.compare("1", "1.0")).isNegative();
    }
}
