package dev.artel.kernel.job;

/// Who decides about an approval, and about which.
public sealed interface Approver {
    /// Who it was, as events keep it.
    String text();

    /// Somebody who has the token of one approval.
    ///
    /// @param digest SHA-256 of the token, in lower-case hexadecimal
    record TokenHolder(String digest) implements Approver {
        @Override
        public String text() {
            return "token";
        }
    }

    /// A client that may change the job.
    ///
    /// @param number of the approval, see [Effect.AwaitApproval]
    record OfClient(String client, long number) implements Approver {
        @Override
        public String text() {
            return "client " + client;
        }
    }
}
