package dev.artel.worker.zeromq;

/// The three sockets of a worker.
enum DealerPort {
    REGISTRATION,
    TASKS,
    RESULTS
}
