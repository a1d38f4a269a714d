package dev.artel.kernel.approval;

import java.util.List;
import java.util.Optional;

/// Who decides about an approval, and about which.
public sealed interface Approver {
    /// Who it was, as events keep it.
    String text();

    /// A person who has the token of one approval.
    ///
    /// @param digest SHA-256 of the token, in lower-case hexadecimal
    /// @param name the name that they gave; it is not verified
    record TokenHolder(String digest, Optional<String> name) implements Approver {
        /// A person who gives no name.
        public TokenHolder(String digest) {
            this(digest, Optional.empty());
        }

        @Override
        public String text() {
            return "token" + name.map(given -> " (" + given + ")").orElse("");
        }
    }

    /// A client that may change the job, or that the approval names.
    ///
    /// @param groups those of the client at this moment
    /// @param number of the approval, see [Effect.AwaitApproval]
    record OfClient(String client, List<String> groups, long number) implements Approver {
        /// Copies `groups`.
        public OfClient {
            groups = List.copyOf(groups);
        }

        /// A client of no group.
        public OfClient(String client, long number) {
            this(client, List.of(), number);
        }

        @Override
        public String text() {
            return "client " + client;
        }
    }
}
