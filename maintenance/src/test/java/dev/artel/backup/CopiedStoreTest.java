package dev.artel.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.BackupSettings;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies that somebody else has made.
final class CopiedStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir private Path folder;
    private BackupPlace place;

    @BeforeEach
    void open() throws IOException {
        var target = BackupSettings.Target.of(folder.resolve("copy").toString());
        place = BackupPlace.open(BackupSettings.DEFAULTS.withTo(target));
        Files.createDirectory(folder.resolve("data"));
    }

    @AfterEach
    void close() {
        place.close();
    }

    private void restore() throws IOException {
        new CopiedStore(place).into(folder.resolve("data"));
    }

    private void head(DatabaseCopy base, String segment) {
        place.head(new Head("owner", NOW, place.keep(base.write()), segment, NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "artel.db",
                "artel.db-wal",
                "../escaped",
                "/escaped",
                "blueprints/../artel.db",
                "payloads/ab/abcd",
                "a/b",
                "blueprints/",
                "files/",
                "files//a",
                "files/../artel.db",
                "files/a/..",
                "files/./a",
                ".."
            })
    void aFileThatNoCopyHas_isRefused(String name) {
        var files = new TreeMap<String, String>();
        files.put(name, place.keep(new byte[] {1}));
        head(new DatabaseCopy(0, List.of(), "", files), "");

        assertThatThrownBy(this::restore)
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("it has a file '" + name + "'")
                .hasMessageEndingWith("restore another backup");
        assertThat(folder.resolve("escaped")).doesNotExist();
    }

    /// Trap: some kilobytes that fill the memory, or the disk.
    @Test
    void aPieceThatIsLargerThanPiecesAre_isRefused() throws IOException {
        var piece = place.keep(compressed(new byte[ContinuousBackup.PIECE * 10]));
        head(new DatabaseCopy(1L << 30, List.of(piece), "", new TreeMap<>()), "");

        assertThatThrownBy(this::restore)
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining("piece " + piece + " of its base is larger than it may be");
    }

    @Test
    void aDatabaseThatIsLargerThanTheDisk_isRefusedBeforeItIsWritten() {
        head(new DatabaseCopy(1L << 62, List.of(), "", new TreeMap<>()), "");

        assertThatThrownBy(this::restore)
                .isInstanceOf(IOException.class)
                .hasMessageContaining((1L << 62) + " bytes of its database, and there is room for ")
                .hasMessageEndingWith("make room, or choose another --data");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE})
    void aSegmentWithAHeadOfAnyLength_isRefused(int length) throws IOException {
        var bytes = new ByteArrayOutputStream();
        new DataOutputStream(bytes).writeInt(length);
        head(
                new DatabaseCopy(0, List.of(), "", new TreeMap<>()),
                place.keep(compressed(bytes.toByteArray())));

        assertThatThrownBy(this::restore)
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining(length + " bytes of its head");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE})
    void aSegmentWithAnyNumberOfPages_isRefused(int pages) throws IOException {
        var head = "{\"previous\":\"\",\"until\":\"" + NOW + "\"}";
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt(head.length());
        out.writeBytes(head);
        out.writeInt(1 << 16);
        out.writeLong(1);
        out.writeInt(pages);
        head(
                new DatabaseCopy(0, List.of(), "", new TreeMap<>()),
                place.keep(compressed(bytes.toByteArray())));

        assertThatThrownBy(this::restore)
                .isInstanceOf(StoreCorrupt.class)
                .hasMessageContaining(pages + " pages");
    }

    private static byte[] compressed(byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }
}
