package dev.artel.engine.core.watch;

import dev.artel.kernel.job.JobId;
import java.time.Instant;

/// A job waits for something that cannot happen any more, or something is held for no job: seen twice, with time enough
/// between for all that was on its way.
///
/// @param key names what it is about, unique in the job
/// @param expected what should be
/// @param found what is
/// @param advice what a person can do
/// @param since when it was seen first
public record Stall(
        JobId job, String key, String expected, String found, String advice, Instant since) {}
