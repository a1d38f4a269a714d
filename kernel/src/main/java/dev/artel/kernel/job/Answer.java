package dev.artel.kernel.job;

import java.time.Instant;

/// A question of a task that has its answer, for all attempts at the task.
///
/// @param number see [Asked#number]
/// @param text the answer; one of the choices if there are any
/// @param by who knew
public record Answer(long number, Question question, String text, String by, Instant at) {}
