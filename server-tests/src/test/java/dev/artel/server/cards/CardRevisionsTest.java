package dev.artel.server.cards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CardRevisionsTest {
    @ParameterizedTest
    @CsvSource({
        "1.0.0, 1, 1.0.0",
        "1.0.0, 2, 1.0.0.2",
        "1.0, 2, 1.0.0.2",
        "1, 11, 1.0.0.11",
        "2.0.0-beta, 3, 2.0.0-beta.3"
    })
    void aRevision_isNamedAfterTheAuthorsVersion(String written, int number, String version) {
        assertThat(CardRevisions.version(written, number)).isEqualTo(version);
    }

    @Test
    void revisions_comeAfterTheirVersion_andBeforeTheNext() {
        var all = new Blueprints();
        for (var version :
                new String[] {
                    "1.0.1",
                    CardRevisions.version("1.0.0", 10),
                    "1.0.0",
                    CardRevisions.version("1.0.0-beta", 2),
                    "1.0.0-beta",
                    CardRevisions.version("1.0.0", 2)
                }) {
            all.register(
                    Blueprint.named("a")
                            .version(version)
                            .start("begin", step -> Action.finish(step.initialData()))
                            .build());
        }

        assertThat(all.versionsOf("a"))
                .containsExactly(
                        "1.0.0-beta", "1.0.0-beta.2", "1.0.0", "1.0.0.2", "1.0.0.10", "1.0.1");
    }
}
