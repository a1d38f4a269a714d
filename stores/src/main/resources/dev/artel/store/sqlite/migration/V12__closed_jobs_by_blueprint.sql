-- To find closed jobs whose time is over, which each blueprint may have for itself.
DROP INDEX job_closed;
CREATE INDEX job_closed_by_blueprint ON job (blueprint, updated) WHERE closed = 1;
