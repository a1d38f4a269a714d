package dev.artel.server.cards;

import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes up the cards of files: at a start, at a reload, and those of a watched folder within [#PAUSE] of a change, twice. The log has what was taken up and why something
/// was not. Safe for use by many threads.
public final class CardUpdates implements AutoCloseable {
    /// How long the watched folder is not looked at.
    static final Duration PAUSE = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(CardUpdates.class);

    private final CardFolders folders;
    private final CardLibrary library;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread watch =
            Thread.ofPlatform().daemon().name("artel-cards").unstarted(this::run);

    /// Problems that are in the log.
    private final Set<String> reported = new HashSet<>();

    /// Those that take up the cards of `folders` in `library`.
    public CardUpdates(CardFolders folders, CardLibrary library) {
        this.folders = folders;
        this.library = library;
    }

    /// Begins to watch the folder that is to be watched.
    public void start() {
        if (folders.watched().isPresent()) {
            watch.start();
        }
    }

    /// Looks at all files.
    ///
    /// @return what was taken up, each in a few words
    public synchronized List<String> look() {
        folders.look();
        return takeUp();
    }

    /// What is wrong with the files now, each in a text that names the file.
    public List<String> problems() {
        return folders.problems();
    }

    /// Takes up what was read.
    ///
    /// @return what it was, each in a few words
    public synchronized List<String> takeUp() {
        var taken = new ArrayList<String>();
        for (var found : folders.untaken()) {
            try {
                var reply = library.take(found.card().text(), found.file().toString());
                folders.taken(found, problem(reply));
                if (reply instanceof CardLibrary.Taken(var version, var _)) {
                    taken.add(version.toString());
                    LOG.atInfo()
                            .addKeyValue("card", version.name())
                            .addKeyValue("version", version.version())
                            .addKeyValue("file", found.file())
                            .log("a card was taken up; jobs that have begun go on with theirs");
                }
            } catch (StoreException failed) {
                folders.taken(
                        found,
                        Optional.of(
                                "it could not be kept, and the next reload tries again: "
                                        + failed.getMessage()));
            }
        }
        report();
        return taken;
    }

    private static Optional<String> problem(CardLibrary.Reply reply) {
        return reply instanceof CardLibrary.Refused refused
                ? Optional.of(refused.detail())
                : Optional.empty();
    }

    private void report() {
        var all = folders.problems();
        for (var problem : all) {
            if (reported.add(problem)) {
                LOG.atWarn()
                        .addKeyValue("problem", problem)
                        .log("a card is not used; what was in force stays so");
            }
        }
        reported.retainAll(all);
    }

    private void run() {
        try {
            while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                glance();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void glance() {
        try {
            if (folders.glance() || !folders.untaken().isEmpty()) {
                var _ = takeUp();
            }
        } catch (RuntimeException failed) {
            LOG.atError().setCause(failed).log("the folder of cards could not be read; retrying");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        if (!watch.isAlive()) {
            return;
        }
        try {
            watch.join(Duration.ofSeconds(5));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
