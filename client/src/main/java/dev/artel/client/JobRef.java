package dev.artel.client;

/// A job, by its id.
public record JobRef(String id) {
    /// Refuses a blank id.
    public JobRef {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a job's id must not be blank");
        }
    }

    @Override
    public String toString() {
        return id;
    }
}
