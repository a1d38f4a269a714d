package dev.artel.worker.process;

import java.time.Duration;

/// What the processes of a pool are allowed.
///
/// @param size how many there are
/// @param timeLimit how long one may take for a task
/// @param memory the most resident bytes of one, with the processes that it has started; 0: as many as it takes. Only Linux shows them
/// @param grace how long a task may take to end after a cancel
/// @param start how long a process may take until it is ready
/// @param tasks after how many tasks a process is replaced; 0: never
public record ProcessTerms(
        int size, Duration timeLimit, long memory, Duration grace, Duration start, int tasks) {}
