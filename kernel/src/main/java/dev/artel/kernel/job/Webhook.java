package dev.artel.kernel.job;

import java.util.List;
import java.util.Optional;

/// A receiver of calls about a job; fixed when the job is submitted.
///
/// @param subscriber the id of a subscription, or [#OWN]
/// @param url where the job's own one is; a subscription knows its own
/// @param occasions the occasions of which it receives calls
public record Webhook(String subscriber, Optional<String> url, List<Occasion> occasions) {
    /// The subscriber that the client names when it submits the job.
    public static final String OWN = "job";

    /// So many subscribers a job has at most.
    public static final int MOST = 20;

    /// Copies `occasions`.
    public Webhook {
        occasions = List.copyOf(occasions);
    }

    /// The job's own one, with all occasions.
    public static Webhook of(String url) {
        return new Webhook(OWN, Optional.of(url), List.of(Occasion.values()));
    }

    /// One of a subscription.
    public static Webhook subscription(String id, List<Occasion> occasions) {
        return new Webhook(id, Optional.empty(), occasions);
    }
}
