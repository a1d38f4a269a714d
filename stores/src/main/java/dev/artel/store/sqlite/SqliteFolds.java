package dev.artel.store.sqlite;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.JobFolds;
import java.util.Optional;

/// Folded jobs in a table beside their events.
final class SqliteFolds implements JobFolds {
    private static final String FIND =
            "SELECT state FROM fold WHERE job_key = (SELECT job_key FROM job WHERE id = ?)";

    /// Of the job that is there now: it may have been removed since it was folded, and submitted anew under its key.
    private static final String KEEP =
            "INSERT INTO fold (job_key, version, state)"
                    + " SELECT job_key, ?2, ?3 FROM job WHERE id = ?1 AND version >= ?2"
                    + " AND submitted = ?4"
                    + " ON CONFLICT (job_key) DO UPDATE SET version = excluded.version,"
                    + " state = excluded.state";

    private final Readers readers;
    private final EventCodec codec;
    private final SqliteKeyValueStore.Writing writing;

    SqliteFolds(Readers readers, EventCodec codec, SqliteKeyValueStore.Writing writing) {
        this.readers = readers;
        this.codec = codec;
        this.writing = writing;
    }

    @Override
    public Optional<Job> find(JobId job) {
        var bytes =
                readers.read(
                        "reading the fold of job " + job,
                        reader -> {
                            var find = reader.prepared(FIND);
                            find.setString(1, job.value());
                            try (var row = find.executeQuery()) {
                                return row.next()
                                        ? Optional.of(row.getBytes(1))
                                        : Optional.<byte[]>empty();
                            }
                        });
        return bytes.flatMap(codec::decodeFold).filter(fold -> fold.id().equals(job));
    }

    @Override
    public long keep(Job job) {
        var bytes = codec.encode(job);
        return writing.write(
                "keeping the fold of job " + job.id(),
                connection -> {
                    try (var keep = connection.prepareStatement(KEEP)) {
                        keep.setString(1, job.id().value());
                        keep.setLong(2, job.version());
                        keep.setBytes(3, bytes);
                        keep.setLong(4, job.submitted().toEpochMilli());
                        keep.executeUpdate();
                    }
                    connection.commit();
                    return (long) bytes.length;
                });
    }
}
