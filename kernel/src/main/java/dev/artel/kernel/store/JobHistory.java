package dev.artel.kernel.store;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// The durable events of a job, oldest first. Each iteration reads them anew, page by page, so that a history that is
/// long or has large events never is in memory as a whole, and ends with the events that are durable by then.
///
/// Iterators throw a [StoreException] if the store cannot be read.
public record JobHistory(EventStore store, JobId job) implements Iterable<JobEvent> {
    private static final int PAGE = 512;

    @Override
    public Iterator<JobEvent> iterator() {
        return new Pages();
    }

    private final class Pages implements Iterator<JobEvent> {
        private Iterator<StoredEvents> page = Collections.emptyIterator();
        private Iterator<JobEvent> append = Collections.emptyIterator();

        /// Of the last event that was taken out of the page.
        private long version;

        private boolean isLast;

        @Override
        public boolean hasNext() {
            while (!append.hasNext()) {
                if (page.hasNext()) {
                    var next = page.next();
                    append = next.events().iterator();
                    version = next.version() + next.events().size() - 1;
                } else if (isLast) {
                    return false;
                } else {
                    var read =
                            store.page(StreamId.of(job), version, PAGE, EventStore.EventPage.BYTES);
                    isLast = read.isLast();
                    page = read.appends().iterator();
                }
            }
            return true;
        }

        @Override
        public JobEvent next() {
            if (!hasNext()) {
                throw new NoSuchElementException(
                        "the history of job " + job + " has no more events");
            }
            return append.next();
        }
    }
}
