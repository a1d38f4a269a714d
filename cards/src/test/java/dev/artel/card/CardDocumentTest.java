package dev.artel.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class CardDocumentTest {
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void theCardOfTheReference_hasNoProblem() throws Exception {
        var found = BLOCK.matcher(Files.readString(Path.of("../docs/cards.md")));

        assertThat(found.find()).isTrue();
        assertThat(Cards.read(found.group(1)).problems()).isEmpty();
    }
}
