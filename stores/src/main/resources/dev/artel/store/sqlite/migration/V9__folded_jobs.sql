-- Jobs as their events tell them, up to some version: a cache, from which rows may be deleted at any time. Only the build of the program
-- that wrote a state reads it; others fold the events again.
CREATE TABLE fold (
    job_key INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    state   BLOB    NOT NULL
);
