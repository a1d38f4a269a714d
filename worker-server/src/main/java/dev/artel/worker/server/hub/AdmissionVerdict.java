package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Whether a worker is let in.
public sealed interface AdmissionVerdict {
    /// It is.
    ///
    /// @param acknowledgement members that the acknowledgement has beside its own
    record Accepted(JsonObject acknowledgement) implements AdmissionVerdict {}

    /// It is not: the worker receives an acknowledgement with `success` false, and the connection is closed.
    ///
    /// @param closeCode with which code, 1000 to 4999
    /// @param closeReason at most 123 bytes
    /// @param error the error in the acknowledgement
    /// @param retryAfter when the worker may try again, on average; null where trying again is of no use
    record Refused(int closeCode, String closeReason, String error, @Nullable Duration retryAfter)
            implements AdmissionVerdict {
        /// Refuses a code that is none.
        public Refused {
            if (closeCode < 1000 || closeCode > 4999) {
                throw new IllegalArgumentException(
                        "close code %d: a code is 1000 to 4999".formatted(closeCode));
            }
        }
    }

    /// The worker is let in.
    static AdmissionVerdict accepted() {
        return new Accepted(JsonObject.EMPTY);
    }

    /// The worker is let in and receives `members` with the acknowledgement.
    static AdmissionVerdict accepted(JsonObject members) {
        return new Accepted(members);
    }

    /// The token was wrong.
    static AdmissionVerdict unauthenticated() {
        return new Refused(
                CloseCode.AUTHENTICATION_FAILED,
                "Authentication failed",
                "Invalid authentication token",
                null);
    }

    /// The worker is not let in, for a reason that stays.
    static AdmissionVerdict refused(int closeCode, String closeReason, String error) {
        return new Refused(closeCode, closeReason, error, null);
    }

    /// The worker is not let in, and may try again.
    static AdmissionVerdict refusedFor(
            Duration retryAfter, int closeCode, String closeReason, String error) {
        return new Refused(closeCode, closeReason, error, retryAfter);
    }
}
