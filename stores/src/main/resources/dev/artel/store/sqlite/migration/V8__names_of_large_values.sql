-- Which large values the events of a job name. A row outlives its job: released says since when, in milliseconds, so that the
-- value stays for a while longer. Values that users name like references are rows as well; that only keeps too much.
CREATE TABLE payload_name (
    digest   TEXT    NOT NULL,
    job_key  INTEGER NOT NULL,
    released INTEGER,
    PRIMARY KEY (digest, job_key)
) WITHOUT ROWID;

CREATE INDEX payload_name_by_job ON payload_name (job_key);
CREATE INDEX payload_name_released ON payload_name (released) WHERE released IS NOT NULL;

INSERT OR IGNORE INTO payload_name (digest, job_key)
SELECT t.atom, a.job_key
FROM append a, json_tree(CAST(a.events AS TEXT)) t
WHERE instr(CAST(a.events AS TEXT), '"digest":"') > 0
  AND json_valid(CAST(a.events AS TEXT))
  AND t.key = 'digest' AND t.type = 'text' AND length(t.atom) = 64;
