package dev.artel.gateway.http;

/// Which values were put under which leases, also by an earlier process: a result may name one of its own lease alone. Safe for use by
/// many threads.
public interface PutValues {
    /// A value of so many `bytes` was put under `lease`.
    ///
    /// @param digest its SHA-256 in hexadecimal
    void add(String lease, String digest, long bytes);

    /// Whether this value was put under `lease`.
    boolean has(String lease, String digest, long bytes);
}
