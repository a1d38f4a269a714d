package dev.artel.store.files;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.task.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Keeps each large value as a file named by the SHA-256 of its text: `ab/cd/abcd...`. A file is whole from the moment
/// it has its name, and is never changed; what a crash leaves half written is removed when the store is opened. A value
/// that no event names any more stays.
public final class FolderPayloadStore implements PayloadStore {
    private static final String UNFINISHED = "unfinished";
    private static final int FAN_OUT = 2;

    /// A write that failed with less room than this failed for it.
    private static final long SPARE_BYTES = 1 << 20;

    private final Path folder;
    private final Path unfinished;

    private FolderPayloadStore(Path folder) {
        this.folder = folder;
        this.unfinished = folder.resolve(UNFINISHED);
    }

    /// The store in `folder`, which is made if it is not there. It belongs to one orchestrator at a time.
    ///
    /// @throws StoreUnavailable if the folder cannot be used
    public static FolderPayloadStore open(Path folder) {
        var store = new FolderPayloadStore(folder.toAbsolutePath());
        try {
            Files.createDirectories(store.unfinished);
            try (var left = Files.newDirectoryStream(store.unfinished)) {
                for (var file : left) {
                    Files.delete(file);
                }
            }
            return store;
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "opening payload store "
                            + store.folder
                            + ": found "
                            + e
                            + "; make it a folder that the user "
                            + System.getProperty("user.name")
                            + " can write",
                    e);
        }
    }

    @Override
    public Payload keep(JsonValue value) {
        var text = JsonText.write(value);
        if (text.length < Payload.INLINE_LIMIT) {
            return Payload.of(value);
        }
        var digest = digestOf(text);
        var file = fileOf(digest);
        try {
            if (!Files.exists(file) || Files.size(file) != text.length) {
                DurableFiles.write(text, Files.createTempFile(unfinished, digest, ""), file);
            }
            // Also for a file that was there: whoever wrote it may not have come so far yet.
            DurableFiles.syncFolders(file, folder);
        } catch (IOException e) {
            throw failed(digest, text.length, e);
        }
        return new Payload.Ref(digest, text.length);
    }

    @Override
    public JsonValue resolve(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> value;
            case Payload.Ref(var digest, var bytes) -> read(digest, bytes);
        };
    }

    private JsonValue read(String digest, long bytes) {
        var file = fileOf(digest);
        try {
            var text = Files.readAllBytes(file);
            if (text.length != bytes || !digestOf(text).equals(digest)) {
                throw corrupt(
                        file,
                        "found " + text.length + " bytes with digest " + digestOf(text),
                        null);
            }
            return JsonText.readWritten(text);
        } catch (NoSuchFileException e) {
            throw corrupt(file, "it is not there", e);
        } catch (MalformedJson e) {
            throw corrupt(file, "found " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "reading payload " + file + ": found " + e + "; check the disk", e);
        }
    }

    private Path fileOf(String digest) {
        if (!digest.chars().allMatch(FolderPayloadStore::isHex)) {
            throw new StoreCorrupt(
                    "looking for payload " + digest + " in " + folder + ": no SHA-256 digest",
                    null);
        }
        return folder.resolve(digest.substring(0, FAN_OUT))
                .resolve(digest.substring(FAN_OUT, 2 * FAN_OUT))
                .resolve(digest);
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    private static String digestOf(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private StoreException failed(String digest, int bytes, IOException failure) {
        var what =
                "keeping payload " + digest + " of " + bytes + " bytes in " + folder + ": found ";
        return hasRoom(bytes)
                ? new StoreUnavailable(what + failure + "; check the disk", failure)
                : new StoreFull(
                        what + failure + "; make room on the disk, it then goes on", failure);
    }

    private boolean hasRoom(int bytes) {
        try {
            return Files.getFileStore(folder).getUsableSpace() > bytes + SPARE_BYTES;
        } catch (IOException e) {
            return true; // then room is not what is missing
        }
    }

    private static StoreCorrupt corrupt(Path file, String found, @Nullable Exception cause) {
        return new StoreCorrupt(
                "reading payload " + file + ": " + found + "; restore the file from a backup",
                cause);
    }
}
