package dev.artel.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.store.sqlite.ChangedPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OtherFilesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir private Path data;

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(data.resolve("files/a/unfinished"));
        for (var name : new String[] {"files/1", "files/a/2", "files/a/unfinished/3.new"}) {
            Files.writeString(data.resolve(name), name);
        }
        Files.writeString(data.resolve("files/a/.unfinished-4.tmp"), "half");
        Files.writeString(data.resolve("clients.toml"), "clients");
        Files.writeString(data.resolve("artel.db"), "database");
    }

    /// The content stands for its digest.
    private static SequencedMap<String, String> look(OtherFiles files) throws IOException {
        return files.look((file, _) -> Files.readString(file));
    }

    @Test
    void filesOfActions_areThereWhateverTheirNames_butNotWhileTheyAreWritten() throws Exception {
        assertThat(look(new OtherFiles(data, OtherFiles.ROOM_FOR_NAMES)))
                .containsOnlyKeys(
                        "clients.toml", "files/1", "files/a/2", "files/a/unfinished/3.new")
                .allSatisfy((name, _) -> assertThat(OtherFiles.has(name)).isTrue());
    }

    /// Trap: a client writes so many files that their names fill the memory of the orchestrator, or that no copy can be read.
    @Test
    void theNamesOfFilesOfActions_haveABound() throws Exception {
        var found = look(new OtherFiles(data, 2 * 100));

        assertThat(found).hasSize(3).containsKey("clients.toml");
    }

    /// Trap: a file is replaced by one of the same size within a tick of the clock of the disk.
    @Test
    void aFileThatIsReplacedByOneOfTheSameSizeAndTime_isNew() throws Exception {
        var files = new OtherFiles(data, OtherFiles.ROOM_FOR_NAMES);
        var file = data.resolve("files/1");
        assertThat(look(files)).containsEntry("files/1", "files/1");
        var other = Files.writeString(data.resolve("other"), "files/x");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        assertThat(look(files)).containsEntry("files/1", "files/x");
    }

    @Test
    void aSegment_hasWhatHasChanged() {
        var before = new TreeMap<>(Map.of("same", "1", "changed", "2", "gone", "3"));
        var after = new TreeMap<>(Map.of("same", "1", "changed", "4", "new", "5"));

        var changes = Segment.changes(before, after);

        assertThat(changes)
                .containsExactlyEntriesOf(
                        new TreeMap<>(Map.of("changed", "4", "gone", "", "new", "5")));
        var segment = new Segment("", NOW, Optional.empty(), changes, new ChangedPages(0));
        assertThat(Segment.read(segment.write()).filesAfter(before)).isEqualTo(after);
        assertThat(Segment.changes(after, after)).isEmpty();
    }

    @Test
    void aSegmentOfAnEarlierVersion_hasAllFiles() {
        var all = new TreeMap<>(Map.of("a", "1"));
        var segment = new Segment("", NOW, Optional.of(all), new TreeMap<>(), new ChangedPages(0));

        assertThat(Segment.read(segment.write()).filesAfter(new TreeMap<>(Map.of("b", "2"))))
                .isEqualTo(all);
    }
}
