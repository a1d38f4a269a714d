/// What people decide and answer: approvals of jobs, and questions of workers. What waits for them is listed for each job;
/// decisions by token need no account of a client.
@NullMarked
package dev.artel.server.api.people;

import org.jspecify.annotations.NullMarked;
