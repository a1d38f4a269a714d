package dev.artel.maintenance;

import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.ObjectStore.Kept;
import dev.artel.store.sqlite.SqliteMaintenance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Compares the large values that are kept with those that jobs name: both come in the order of their digests.
final class PayloadCheck {
    static final String TOPIC = "values";
    private static final int PAGE = 1000;

    private final ObjectStore objects;
    private final SqliteMaintenance jobs;
    private final Deque<Kept> page = new ArrayDeque<>();
    private String last = "";
    private boolean isAtEnd;

    private long kept;
    private long bytes;
    private long unnamed;
    private long missing;
    private @Nullable String firstMissing;

    PayloadCheck(ObjectStore objects, SqliteMaintenance jobs) {
        this.objects = objects;
        this.jobs = jobs;
    }

    Finding look(Duration grace) {
        jobs.namedPayloads(this::named);
        while (next() != null) {
            unnamed++;
            take();
        }
        if (missing > 0) {
            return Finding.fail(
                    TOPIC,
                    missing
                            + " large values that jobs name are not in "
                            + objects.place()
                            + ", such as "
                            + firstMissing
                            + "; restore them from a backup");
        }
        return Finding.ok(
                TOPIC,
                "%d large values of %d bytes in %s; %d of them are named by no job and go when they"
                                .formatted(kept, bytes, objects.place(), unnamed)
                        + " are older than "
                        + grace);
    }

    private void named(String digest) {
        for (var value = next(); value != null; value = next()) {
            var order = value.digest().compareTo(digest);
            if (order > 0) {
                break;
            }
            take();
            if (order == 0) {
                return;
            }
            unnamed++;
        }
        if (!jobs.isReference(digest)) {
            return;
        }
        missing++;
        if (firstMissing == null) {
            firstMissing = digest;
        }
    }

    private @Nullable Kept next() {
        if (page.isEmpty() && !isAtEnd) {
            page.addAll(objects.list(last, PAGE));
            isAtEnd = page.isEmpty();
        }
        return page.peek();
    }

    private void take() {
        var value = page.remove();
        last = value.digest();
        kept++;
        bytes += value.bytes();
    }
}
