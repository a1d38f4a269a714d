/// The tasks of a job: what they are, their attempts, where they were placed and why not yet, and how far they are. Lists of
/// tasks are in `jobs`, with the other parts of a job.
@NullMarked
package dev.artel.server.api.tasks;

import org.jspecify.annotations.NullMarked;
