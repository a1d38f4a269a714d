package dev.artel.gateway.zeromq;

import java.io.Serial;

/// A message that is refused: the answer states why. Carries no stack trace, since strangers can cause it at will.
final class BadFrame extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final RejectCode code;

    BadFrame(RejectCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    /// A message that is none of this protocol.
    BadFrame(String message) {
        this(RejectCode.BAD_FRAME, message);
    }

    RejectCode code() {
        return code;
    }
}
