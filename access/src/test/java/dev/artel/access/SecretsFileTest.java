package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretsFileTest {
    @TempDir private Path folder;

    private SecretsFile.Reading read(String text) throws IOException {
        var file = folder.resolve(SecretsFile.NAME);
        Files.writeString(file, text);
        return SecretsFile.read(file);
    }

    @Test
    void secretsAreRead_byName_fromTheFileOrFromOneOfTheirOwn() throws IOException {
        Files.writeString(folder.resolve("shop"), "key of the shop\n");
        var reading =
                read(
                        """
                        [MAIL]
                        value = "key of the mail"
                        hosts = ["api.example.com", "*.example.org"]
                        [SHOP]
                        file = "shop"
                        hosts = ["localhost:8089"]
                        """);

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.secrets().sequencedKeySet()).containsExactly("MAIL", "SHOP");
        var mail = reading.secrets().firstEntry().getValue();
        assertThat(mail.value()).isEqualTo("key of the mail");
        assertThat(mail.hosts().allow("a.example.org", 443)).isTrue();
        var shop = reading.secrets().lastEntry().getValue();
        assertThat(shop.value()).isEqualTo("key of the shop");
        assertThat(shop.hosts().allow("localhost", 80)).isFalse();
        assertThat(reading.toString()).doesNotContain("key of");
    }

    @Test
    void whatIsNoSecret_isAProblem_withoutItsValue() throws IOException {
        var reading =
                read(
                        """
                        [A]
                        value = "hidden"
                        hosts = ["x"]
                        [B]
                        value = "hidden-12345"
                        [C]
                        hosts = ["x"]
                        [D]
                        file = "nowhere"
                        hosts = ["x"]
                        ["e e"]
                        value = "hidden-12345"
                        hosts = ["not a host"]
                        [F]
                        value = "hidden-12345\\nX: y"
                        hosts = ["x"]
                        """);

        assertThat(reading.secrets()).isEmpty();
        assertThat(reading.problems())
                .hasSize(7)
                .noneMatch(problem -> problem.contains("hidden"))
                .anyMatch(it -> it.startsWith("secrets.toml:2: A.value must have 8 to "))
                .anyMatch(it -> it.contains("B must have hosts"))
                .anyMatch(it -> it.contains("C must have either value, or the file"))
                .anyMatch(it -> it.contains("cannot read " + folder.resolve("nowhere")))
                .anyMatch(it -> it.contains("the name of a secret has"))
                .anyMatch(it -> it.contains("must be hosts such as"));
    }

    @Test
    void withoutAFile_thereAreNone() {
        var reading = SecretsFile.readIfThere(folder.resolve(SecretsFile.NAME));

        assertThat(reading.secrets()).isEmpty();
        assertThat(reading.problems()).isEmpty();
    }

    /// Trap: a mount that is away, or a mistyped path, and no step finds its secret.
    @Test
    void aFileThatMustBeThere_andIsNot_isAProblem() {
        var file = folder.resolve(SecretsFile.NAME);

        assertThat(SecretsFile.read(file).problems())
                .containsExactly(
                        "there is no file "
                                + file
                                + " with secrets; put it back, or an empty one where there are none");
    }

    /// Trap: links that lead in a circle: whether the file is there cannot be known.
    @Test
    void aFileOfWhichNobodyKnowsWhetherItIsThere_isAProblem() throws IOException {
        var file = folder.resolve(SecretsFile.NAME);
        Files.createSymbolicLink(file, file);

        assertThat(SecretsFile.readIfThere(file).problems())
                .singleElement()
                .asString()
                .contains("cannot read " + file);
    }
}
