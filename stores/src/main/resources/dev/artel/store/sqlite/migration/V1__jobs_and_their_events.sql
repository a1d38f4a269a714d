-- One row for each job: by what it is found, and the version of its stream. job_key is the order of first events.
CREATE TABLE job (
    job_key   INTEGER PRIMARY KEY,
    id        TEXT    NOT NULL UNIQUE,
    version   INTEGER NOT NULL,
    blueprint TEXT    NOT NULL,
    client    TEXT    NOT NULL,
    state     TEXT    NOT NULL,
    status    TEXT    NOT NULL,
    closed    INTEGER NOT NULL,
    priority  REAL    NOT NULL,
    labels    TEXT,
    submitted INTEGER NOT NULL,
    updated   INTEGER NOT NULL,
    error     TEXT
);

CREATE INDEX job_open ON job (job_key) WHERE closed = 0;
CREATE INDEX job_closed ON job (updated) WHERE closed = 1;
CREATE INDEX job_closed_by_status ON job (status, job_key) WHERE closed = 1;
CREATE INDEX job_by_blueprint ON job (blueprint);
CREATE INDEX job_by_client ON job (client);

CREATE TABLE label (
    name    TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    job_key INTEGER NOT NULL,
    PRIMARY KEY (name, value, job_key)
) WITHOUT ROWID;

CREATE INDEX label_by_job ON label (job_key);

-- One row for each append; position and version are those of its first event.
CREATE TABLE append (
    position    INTEGER PRIMARY KEY,
    job_key     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    events      BLOB    NOT NULL
);

CREATE UNIQUE INDEX append_by_job ON append (job_key, version);

-- How many closed jobs have a status: they would be slow to count.
CREATE TABLE status_count (
    status TEXT    PRIMARY KEY,
    jobs   INTEGER NOT NULL
) WITHOUT ROWID;

-- Positions below this one were given away, though their rows may have been removed.
CREATE TABLE next_position (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    position INTEGER NOT NULL
);

INSERT INTO next_position (only_row, position) VALUES (1, 1);
