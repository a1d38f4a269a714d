package dev.artel.server.wiring;

/// Counts the records of a connection over TLS that bring no data. Of the thread that reads it.
final class EmptyRecords {
    /// A handshake has a dozen, and those who write terabytes change their keys some times.
    static final int MOST = 1_000;

    /// In one record are thousands of changes of keys, of five bytes each, which are made in one call.
    static final int MOST_BYTES = 32 * MOST;

    private int records;
    private long bytes;

    /// One more has come.
    ///
    /// @param isHandshake whether it belongs to the first handshake, which may have large certificates
    /// @return whether the connection may go on
    boolean hasRoomFor(int length, boolean isHandshake) {
        records++;
        bytes += isHandshake ? 0 : length;
        return records <= MOST && bytes <= MOST_BYTES;
    }
}
