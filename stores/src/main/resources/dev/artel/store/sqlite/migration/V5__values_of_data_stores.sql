-- What blueprints keep for all of their jobs.
CREATE TABLE key_value (
    space   TEXT    NOT NULL,
    key     TEXT    NOT NULL,
    version INTEGER NOT NULL,
    value   BLOB    NOT NULL,
    PRIMARY KEY (space, key)
) WITHOUT ROWID;

-- The last version that was given away; it never comes back, also not after an entry was removed.
CREATE TABLE key_value_version (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    version  INTEGER NOT NULL
);

INSERT INTO key_value_version (only_row, version) VALUES (1, 0);
