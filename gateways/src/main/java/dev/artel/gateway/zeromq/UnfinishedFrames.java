package dev.artel.gateway.zeromq;

/// What has come over an encrypted connection and was not received. Where a message ends is encrypted; but what has come before the socket was read to its end, and is more than was received
/// since from all connections, waits for the end of its message. For the thread of the library.
final class UnfinishedFrames {
    /// A message has at most 69 of them; 300 come in one turn of the library.
    static final int MOST = 1_000;

    /// What encryption adds to a frame, at least.
    private static final int ADDED = 33;

    /// After so many rounds, one of them has begun after the frame had come.
    private static final int ROUNDS = 3;

    private final DeliveredFrames delivered;
    private final long mostBytes;
    private long frames;
    private long bytes;
    private long deliveredBefore;
    private long deliveredBytesBefore;
    private long marked;
    private long markedBytes;
    private long round;

    /// @param delivered what was received from the socket of the connection
    /// @param mostBytes how many bytes may wait for the end of their message
    UnfinishedFrames(DeliveredFrames delivered, long mostBytes) {
        this.delivered = delivered;
        this.mostBytes = mostBytes;
        beginAnew();
    }

    private void beginAnew() {
        round = delivered.rounds();
        deliveredBefore = delivered.frames();
        deliveredBytesBefore = delivered.bytes();
        frames = 0;
        bytes = 0;
        marked = 0;
        markedBytes = 0;
    }

    /// A frame comes.
    ///
    /// @param length as it is encrypted
    /// @return whether there is room for it
    boolean add(int length) {
        var now = delivered.rounds();
        var received = delivered.frames() - deliveredBefore;
        var receivedBytes = delivered.bytes() - deliveredBytesBefore;
        if (frames <= received && bytes <= receivedBytes) {
            beginAnew();
        } else if (now >= round + ROUNDS) {
            if (marked - received > MOST || markedBytes - receivedBytes > mostBytes) {
                return false;
            }
            marked = frames;
            markedBytes = bytes;
            round = now;
        }
        frames++;
        bytes += Math.max(0, length - ADDED);
        return true;
    }
}
