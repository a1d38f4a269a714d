package dev.artel.backup;

import dev.artel.json.text.Printable;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.files.UsableSpace;
import dev.artel.store.sqlite.SqliteMaintenance;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.zip.GZIPInputStream;

/// The way back from a copy that was kept while an orchestrator ran.
public final class CopiedStore {
    /// A chain that is longer goes in a circle.
    private static final int LONGEST_CHAIN = 1_000_000;

    private final BackupPlace place;

    /// The copy in `place`.
    public CopiedStore(BackupPlace place) {
        this.place = place;
    }

    /// Up to when all that was committed is in the copy.
    ///
    /// @throws StoreCorrupt if there is none
    public Instant until() {
        return head().until();
    }

    private Head head() {
        return place.head()
                .orElseThrow(() ->
                        new StoreCorrupt(
                                "looking for a copy in "
                                        + place
                                        + ": there is no "
                                        + Head.NAME
                                        + "; name the place that backup.to named",
                                null));
    }

    /// Makes a data folder of it.
    ///
    /// @param folder is there and empty
    /// @return up to when all that was committed is in it
    /// @throws dev.artel.kernel.store.StoreException if something of it cannot be read, or is not what it was
    public Instant into(Path folder) throws IOException {
        var head = head();
        var base = DatabaseCopy.read(place.read(head.base()));
        var chain = new ArrayDeque<String>();
        for (var digest = head.segment();
                !digest.isEmpty() && !digest.equals(base.since());
                digest = Segment.read(place.read(digest)).previous()) {
            chain.addFirst(digest);
            if (chain.size() > LONGEST_CHAIN) {
                throw corrupt("its segments have no beginning");
            }
        }
        checkRoom(folder, base.bytes(), "its database");
        var files = base.files();
        try (var database =
                FileChannel.open(
                        folder.resolve("artel.db"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE)) {
            for (var piece : base.pieces()) {
                try (var in = new GZIPInputStream(new ByteArrayInputStream(place.read(piece)))) {
                    var bytes = in.readNBytes(ContinuousBackup.PIECE + 1);
                    if (bytes.length > ContinuousBackup.PIECE
                            || database.size() + bytes.length > base.bytes()) {
                        throw corrupt("piece " + piece + " of its base is larger than it may be");
                    }
                    database.write(java.nio.ByteBuffer.wrap(bytes));
                }
            }
            if (database.size() != base.bytes()) {
                throw corrupt("its base has " + database.size() + " bytes, not " + base.bytes());
            }
            for (var digest : chain) {
                var segment = Segment.read(place.read(digest));
                if (!segment.pages().isEmpty()) {
                    checkRoom(folder, segment.pages().bytes(), "segment " + digest);
                    segment.pages().writeTo(database);
                }
                files = segment.filesAfter(files);
            }
            database.force(true);
        }
        for (var file : files.entrySet()) {
            var name = file.getKey();
            if (!OtherFiles.has(name)) {
                throw corrupt("it has a file '" + Printable.text(name) + "'");
            }
            var kept = place.objects().find(file.getValue());
            checkRoom(folder, kept.map(ObjectStore.Kept::bytes).orElse(0L), name);
            var to = folder.resolve(name);
            Files.createDirectories(to.getParent());
            place.copy(file.getValue(), to);
        }
        values(folder);
        return head.until();
    }

    /// Large values that jobs name; those that are in a bucket of their own are not in the copy.
    private void values(Path folder) throws IOException {
        var jobs = new SqliteMaintenance(folder.resolve("artel.db"));
        var named = new ArrayList<String>();
        jobs.namedPayloads(named::add);
        if (named.isEmpty()) {
            return;
        }
        var missing = new ArrayList<String>();
        try (var values = FolderObjectStore.open(folder.resolve("payloads"))) {
            for (var digest : named) {
                var kept = place.objects().find(digest);
                if (kept.isPresent()) {
                    checkRoom(folder, kept.get().bytes(), "payload " + digest);
                    values.put(
                            digest,
                            kept.get().bytes(),
                            () -> place.objects().open(digest).orElseThrow());
                } else {
                    missing.add(digest);
                }
            }
        }
        // Where values are in a bucket of their own, none is in the copy.
        if (missing.size() < named.size()) {
            missing.stream()
                    .filter(jobs::isReference)
                    .findFirst()
                    .ifPresent(digest -> {
                        throw corrupt("payload " + digest + ", which a job names, is not there");
                    });
        }
    }

    private StoreCorrupt corrupt(String found) {
        return new StoreCorrupt(
                "reading the copy in " + place + ": " + found + "; restore another backup", null);
    }

    private void checkRoom(Path folder, long bytes, String of) throws IOException {
        var room = UsableSpace.of(folder);
        if (bytes > room) {
            throw new IOException(
                    "the copy in "
                            + place
                            + " has "
                            + bytes
                            + " bytes of "
                            + Printable.text(of)
                            + ", and there is room for "
                            + room
                            + "; make room, or choose another --data");
        }
    }
}
