-- What workers said when they registered last. A row is of no use without its worker. The characters of the words stand apart, so
-- that they can be added up without reading them.
CREATE TABLE registration (
    worker     TEXT    PRIMARY KEY,
    characters INTEGER NOT NULL,
    words      TEXT    NOT NULL
);
