/// Reading jobs: one, its parts, lists of jobs, what a job waits for, and those that are stuck or unreadable. What changes a
/// job is in `control`, and its events are in `history`.
@NullMarked
package dev.artel.server.api.jobs;

import org.jspecify.annotations.NullMarked;
