package dev.artel.gateway.zeromq;

/// The sockets of an orchestrator; a worker connects to each under the same identity.
enum WirePort {
    /// Who is there: registrations and heartbeats.
    REGISTRATION("registration"),
    /// Tasks, and whether they are accepted.
    TASKS("tasks"),
    /// Results, and calls.
    RESULTS("results");

    private final String word;

    WirePort(String word) {
        this.word = word;
    }

    /// Its name in settings, figures and logs.
    String word() {
        return word;
    }
}
