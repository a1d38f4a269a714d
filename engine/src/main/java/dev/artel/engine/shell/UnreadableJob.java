package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;

/// An open job that was not taken up, so that all others could be.
///
/// @param reason what keeps it from being read, or why it was set aside
public record UnreadableJob(JobId job, String reason) {}
