package dev.artel.kernel.placement;

import java.util.Locale;

/// Why a worker does not take a task now: the first of these, in this order, that is true of it. The later one stands,
/// the nearer the worker came.
public enum Refusal {
    /// It has never offered the task's type.
    TYPE,
    /// It gets no tasks of the job's client.
    CLIENT,
    /// It lacks a label that the task asks for.
    LABEL,
    /// It has less of something than the task needs.
    RESOURCE,
    /// A model that the task needs is not installed.
    MODEL,
    /// It costs more than the task may, or does not declare its costs.
    TOO_EXPENSIVE,
    /// The task must run where an earlier one ran.
    AFFINITY,
    /// The task has failed on it.
    EXCLUDED,
    /// It is not warm for the task's type.
    COLD,
    /// Something is wrong with it.
    UNHEALTHY,
    /// Its attempts failed one after another: it gets nothing for a while.
    SUSPENDED,
    /// It finishes what it has and takes nothing new.
    DRAINING,
    /// It has no free slot, or reports that it has no room.
    BUSY,
    /// Its slots for tasks of this type or category are taken.
    CATEGORY_FULL,
    /// It would ask for work, and is refused for now because it asks too often.
    RATE_LIMITED,
    /// It is free but does not ask for work at this moment.
    NOT_ASKING;

    /// The word on wires.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
