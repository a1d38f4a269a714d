package dev.artel.store.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.task.Payload;
import dev.artel.store.payloads.StoredPayloads;
import dev.artel.testkit.store.ObjectStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderObjectStoreTest implements ObjectStoreContract {
    private static final JsonValue LARGE = JsonValue.of("x".repeat(100_000));

    @TempDir Path folder;

    private FolderObjectStore objects;
    private PayloadStore store;

    @BeforeEach
    void open() {
        objects = FolderObjectStore.open(folder.resolve("payloads"));
        store = new StoredPayloads(objects, Long.MAX_VALUE);
    }

    @Override
    public ObjectStore objects() {
        return objects;
    }

    @Test
    void aValue_isOneFile_namedByItsDigest_andSurvivesReopening() throws IOException {
        var kept = (Payload.Ref) store.keep(LARGE);
        store.keep(LARGE);

        assertThat(files())
                .singleElement()
                .satisfies(file -> {
                    assertThat(file.getFileName()).hasToString(kept.digest());
                    assertThat(file).hasSize(kept.bytes());
                });
        open();
        assertThat(store.resolve(kept)).isEqualTo(LARGE);
    }

    @Test
    void aFileThatWasChanged_isCorrupt() throws IOException {
        var kept = store.keep(LARGE);
        Files.writeString(files().getFirst(), "y".repeat(100_002));

        assertThatThrownBy(() -> store.resolve(kept))
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("reading payload " + files().getFirst())
                .hasMessageContaining("found 100002 bytes with digest");
    }

    @Test
    void aFileThatWasCutOff_isWrittenAgain() throws IOException {
        store.keep(LARGE);
        Files.writeString(files().getFirst(), "\"xx");

        assertThat(store.resolve(store.keep(LARGE))).isEqualTo(LARGE);
    }

    @Test
    void whatACrashLeftHalfWritten_isRemoved() throws IOException {
        var left = folder.resolve("payloads/unfinished/abc");
        Files.writeString(left, "\"xx");

        open();

        assertThat(left).doesNotExist();
    }

    @Test
    void aFolderThatIsAFile_isRefused() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> FolderObjectStore.open(file))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("opening payload store " + file);
    }

    private List<Path> files() throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
