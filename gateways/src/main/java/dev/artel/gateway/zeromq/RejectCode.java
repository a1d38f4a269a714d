package dev.artel.gateway.zeromq;

/// Why a message is refused, as `REJECT` has it.
enum RejectCode {
    /// The frames, the JSON or a member of it are not what they should be.
    BAD_FRAME(false),
    /// The token lets its sender not be this worker.
    BAD_TOKEN(false),
    /// The capacity is none.
    BAD_CAPACITY(false),
    /// Another process of the same name is there.
    ID_IN_USE(true),
    /// Another version of the protocol.
    BAD_PROTOCOL(false),
    /// As many workers are there under the token as there may be.
    TOO_MANY_CONNECTIONS(true),
    /// Not now.
    BUSY(true);

    private final boolean isRetryable;

    RejectCode(boolean isRetryable) {
        this.isRetryable = isRetryable;
    }

    /// Whether the same message may be taken later.
    boolean isRetryable() {
        return isRetryable;
    }
}
