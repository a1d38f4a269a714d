package dev.artel.kernel.task;

/// What went wrong with an attempt or a task.
///
/// @param kind decides what happens next
/// @param code the worker's or the orchestrator's code, for people and programs
/// @param message for people
public record TaskError(ErrorClass kind, String code, String message) {}
