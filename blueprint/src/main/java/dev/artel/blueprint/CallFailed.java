package dev.artel.blueprint;

import java.io.Serial;

/// A task, a child, a signal or an approval did not bring what the function asked for. A function may catch it and go on.
public final class CallFailed extends RunFailed {
    @Serial private static final long serialVersionUID = 1;

    private final String call;
    private final transient Failure failure;

    /// @param call what was asked for, such as `task book_flight`
    /// @param code the worker's or the orchestrator's, for programs
    public CallFailed(String call, String code, String message) {
        super(call + " failed (" + code + "): " + message);
        this.call = call;
        this.failure = new Failure(code, message);
    }

    /// What was asked for, such as `task book_flight`.
    public String call() {
        return call;
    }

    /// The worker's or the orchestrator's code; `OVERDUE` where nobody came in time, `CANCELLED` for what was no longer wanted.
    public String code() {
        return failure.code();
    }

    /// Why it failed, as states and annotated classes see it; its message is without what was asked for.
    public Failure failure() {
        return failure;
    }
}
