-- The words of closed jobs that have an error message or labels; rowid is job_key. Written when a job is closed.
CREATE VIRTUAL TABLE job_text USING fts5 (
    words,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'unicode61 remove_diacritics 0'
);

-- What workers said: several lines in a row, the newest of each attempt.
CREATE TABLE log (
    job_key INTEGER NOT NULL,
    task    INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    lines   INTEGER NOT NULL,
    text    TEXT    NOT NULL,
    PRIMARY KEY (job_key, task, attempt, number)
) WITHOUT ROWID;
