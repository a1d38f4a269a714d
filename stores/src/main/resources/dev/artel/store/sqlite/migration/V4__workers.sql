-- What is remembered of workers over their restarts: none of it is their own word. drained_at is null unless an
-- operator drains the worker.
CREATE TABLE worker (
    id           TEXT    PRIMARY KEY,
    version      INTEGER NOT NULL,
    first_seen   INTEGER NOT NULL,
    last_seen    INTEGER NOT NULL,
    good         REAL    NOT NULL,
    bad          REAL    NOT NULL,
    succeeded    INTEGER NOT NULL,
    failed       INTEGER NOT NULL,
    lost         INTEGER NOT NULL,
    drained_at   INTEGER,
    drained_by   TEXT,
    drain_reason TEXT
) WITHOUT ROWID;

CREATE INDEX worker_by_last_seen ON worker (last_seen) WHERE drained_at IS NULL;
