-- The id of the job that started this one; null for most.
ALTER TABLE job ADD COLUMN parent TEXT;

CREATE INDEX job_by_parent ON job (parent) WHERE parent IS NOT NULL;
