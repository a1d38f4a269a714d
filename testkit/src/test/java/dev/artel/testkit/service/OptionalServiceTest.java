package dev.artel.testkit.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OptionalServiceTest {
    private static final Path LIST =
            Path.of(System.getProperty("basedir", "."), "..", "dist", "services");

    private static Stream<OptionalService> missing() {
        return Stream.of(OptionalService.values()).filter(service -> !service.isPresent());
    }

    /// Trap: the message has another form, and the table of what was skipped does not have the service.
    @Test
    void aTest_isSkippedForAllThatIsMissing_inOneForm() {
        var missing = missing().toArray(OptionalService[]::new);
        if (missing.length == 0) {
            OptionalService.assumeAll(OptionalService.values());
            return;
        }

        assertThatThrownBy(() -> OptionalService.assumeAll(OptionalService.values()))
                .satisfies(thrown ->
                        assertThat(thrown.getClass().getSimpleName())
                                .isEqualTo("TestAbortedException"))
                .hasMessageMatching(
                        "needs [^()]+ \\(install with: [^()]+\\)(; needs [^()]+ \\(install with: [^()]+\\))*")
                .hasMessageContainingAll(
                        Arrays.stream(missing)
                                .map(service -> "needs " + service.title() + " (")
                                .toArray(String[]::new));
    }

    @Test
    void whatIsPresent_isRunByAProgram_andSkipsNothing() {
        Stream.of(OptionalService.values())
                .filter(OptionalService::isPresent)
                .forEach(service -> assertThat(service.program()).isNotBlank());
    }

    /// Trap: a service that is added here is not listed before the tests.
    @ParameterizedTest
    @EnumSource
    void aService_isLookedForByTheListOfServices(OptionalService service) throws IOException {
        assertThat(Files.readString(LIST)).contains("look_for '" + service.title() + "' ");
    }
}
