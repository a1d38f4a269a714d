package dev.artel.server.wiring;

import dev.artel.store.files.UsableSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Room on the disk of a data folder.
public final class DiskRoom {
    private static final Logger LOG = LoggerFactory.getLogger(DiskRoom.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final long SPARE_BYTES = 1 << 20;

    private DiskRoom() {}

    /// Waits for room, for a minute at most: an orchestrator that was killed while its disk was full comes back by itself then.
    static void await(Path folder) {
        var begun = System.nanoTime();
        for (var isFirst = true;
                !isThere(folder) && System.nanoTime() - begun < TIMEOUT.toNanos();
                isFirst = false) {
            if (isFirst) {
                LOG.atWarn()
                        .addKeyValue("folder", folder)
                        .log("the disk of the data folder is full; waiting a minute for room");
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// Whether the disk of `folder`, which may not be there yet, has room for what is written at a start. A disk that cannot be looked at has
    /// room.
    public static boolean isThere(Path folder) {
        for (var place = folder.toAbsolutePath(); place != null; place = place.getParent()) {
            if (Files.isDirectory(place)) {
                try {
                    return UsableSpace.of(place) > SPARE_BYTES;
                } catch (IOException unknown) {
                    return true;
                }
            }
        }
        return true;
    }
}
