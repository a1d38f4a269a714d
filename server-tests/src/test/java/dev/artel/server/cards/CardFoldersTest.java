package dev.artel.server.cards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.Card;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of cards.
final class CardFoldersTest {
    @TempDir private Path folder;
    private CardFolders folders;

    @BeforeEach
    void begin() {
        folders = new CardFolders(List.of(folder.resolve("none")), Optional.of(folder));
    }

    private static String card(String name) {
        return "{metadata: {name: %s, version: 1.0.0}, spec: {steps: [{id: end, type: complete}]}}"
                .formatted(name);
    }

    private List<String> untaken() {
        return folders.cards().stream().map(Card::name).toList();
    }

    /// Trap: an editor has written the first half, which is a card as well.
    @Test
    void aFileThatIsBeingWritten_isNotReadAtAGlance() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), card("a"));
        assertThat(folders.glance()).isFalse();
        Files.writeString(folder.resolve("a.yaml"), card("longer"));
        assertThat(folders.glance()).isFalse();

        assertThat(folders.glance()).isTrue();

        assertThat(untaken()).containsExactly("longer");
        assertThat(folders.glance()).isFalse();
    }

    @Test
    void aLook_readsAtOnce_andOnlyFilesOfCards() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), card("a"));
        Files.writeString(folder.resolve("b.yml"), card("b"));
        Files.writeString(folder.resolve("notes.txt"), "no card");
        Files.createDirectory(folder.resolve("c.yaml"));

        folders.look();

        assertThat(untaken()).containsExactly("a", "b");
        assertThat(folders.problems()).isEmpty();
    }

    @Test
    void aFileThatIsNoCard_isAProblem_andKeepsNoOtherFromBeingUsed() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), card("a"));
        Files.write(
                folder.resolve("latin.yaml"), "name: \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        Files.writeString(folder.resolve("list.yaml"), "- a");
        try (var large = new RandomAccessFile(folder.resolve("large.yaml").toFile(), "rw")) {
            large.setLength((8 << 20) + 1);
        }

        folders.look();

        assertThat(untaken()).containsExactly("a");
        assertThat(folders.problems())
                .satisfiesExactly(
                        large ->
                                assertThat(large)
                                        .isEqualTo(
                                                "large.yaml: it has 8388609 bytes; the most is 8388608"),
                        latin ->
                                assertThat(latin)
                                        .startsWith("latin.yaml: it cannot be read as UTF-8: "),
                        list ->
                                assertThat(list)
                                        .isEqualTo(
                                                "list.yaml:1:1: error: a card is a mapping with 'metadata' and 'spec', and this is a"
                                                        + " list"));
        Files.delete(folder.resolve("large.yaml"));
        Files.delete(folder.resolve("latin.yaml"));
        Files.delete(folder.resolve("list.yaml"));
        folders.look();
        assertThat(folders.problems()).isEmpty();
    }

    @Test
    void aFolderWithTooManyFiles_isAProblem_andIsNotRead() throws IOException {
        for (var i = 0; i <= CardFolders.MOST_FILES; i++) {
            Files.createFile(folder.resolve(i + ".yaml"));
        }

        folders.look();

        assertThat(folders.problems())
                .singleElement()
                .asString()
                .startsWith("the folder " + folder + " has more than 1000 files of cards");
    }

    @Test
    void whatWasRefused_isTriedAgainAtALook_andNotAtAGlance() throws IOException {
        Files.writeString(folder.resolve("a.yaml"), card("a"));
        folders.look();
        folders.taken(folders.untaken().getFirst(), Optional.of("there is no room"));

        assertThat(folders.problems()).containsExactly("a.yaml: there is no room");
        assertThat(folders.glance()).isFalse();
        assertThat(untaken()).isEmpty();

        folders.look();
        assertThat(untaken()).containsExactly("a");
        folders.taken(folders.untaken().getFirst(), Optional.empty());
        folders.look();
        assertThat(untaken()).isEmpty();
        assertThat(folders.problems()).isEmpty();
    }
}
