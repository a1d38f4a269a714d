package dev.artel.worker.server.hub;

/// What a hub takes from peers and keeps for them at most.
///
/// @param maxConnections connections, registered or not; more are closed with [CloseCode#TRY_AGAIN_LATER]
/// @param maxMessageBytes bytes of a message of a peer; a larger one closes the connection
/// @param maxQueuedMessages messages that wait to be sent to one peer; with one more it is a slow consumer
/// @param maxQueuedBytes bytes of these messages
/// @param maxQueuedBytesOfAll bytes of the messages that wait to be sent to all peers, of which one peer has a quarter; beyond them large requests are not sent, and connections
///     end: those first for which something has waited for a second without a break, of these those for which most waits
/// @param maxMessagesPerSecond messages of one peer in the long run; twice as many may come at once
/// @param maxWaitingRequests requests that wait to be dispatched again; one more is orphaned
public record HubLimits(
        int maxConnections,
        int maxMessageBytes,
        int maxQueuedMessages,
        int maxQueuedBytes,
        long maxQueuedBytesOfAll,
        int maxMessagesPerSecond,
        int maxWaitingRequests) {
    private static final long LEAST_OF_ALL = 32L << 20;
    private static final int HEAP_PART = 16;

    /// 10,000 connections, 4 MiB for a message, 1,000 messages or 16 MiB in a queue, 32 MiB or a 16th of the heap in all, 5,000 messages a second, 10,000
    /// requests that wait.
    public static final HubLimits DEFAULTS =
            new HubLimits(
                    10_000,
                    4 << 20,
                    1_000,
                    16 << 20,
                    Math.max(LEAST_OF_ALL, Runtime.getRuntime().maxMemory() / HEAP_PART),
                    5_000,
                    10_000);

    /// Refuses limits that are not positive.
    public HubLimits {
        positive("maxConnections", maxConnections);
        positive("maxMessageBytes", maxMessageBytes);
        positive("maxQueuedMessages", maxQueuedMessages);
        positive("maxQueuedBytes", maxQueuedBytes);
        positive("maxQueuedBytesOfAll", maxQueuedBytesOfAll);
        positive("maxMessagesPerSecond", maxMessagesPerSecond);
        positive("maxWaitingRequests", maxWaitingRequests);
    }

    /// These limits with another size of messages.
    public HubLimits withMaxMessageBytes(int bytes) {
        return new HubLimits(
                maxConnections,
                bytes,
                maxQueuedMessages,
                maxQueuedBytes,
                maxQueuedBytesOfAll,
                maxMessagesPerSecond,
                maxWaitingRequests);
    }

    /// These limits with other ones for the messages that wait to be sent to a peer.
    public HubLimits withQueue(int messages, int bytes) {
        return new HubLimits(
                maxConnections,
                maxMessageBytes,
                messages,
                bytes,
                maxQueuedBytesOfAll,
                maxMessagesPerSecond,
                maxWaitingRequests);
    }

    /// These limits with another one for what waits to be sent to all peers.
    public HubLimits withMaxQueuedBytesOfAll(long bytes) {
        return new HubLimits(
                maxConnections,
                maxMessageBytes,
                maxQueuedMessages,
                maxQueuedBytes,
                bytes,
                maxMessagesPerSecond,
                maxWaitingRequests);
    }

    /// These limits with another one for connections.
    public HubLimits withMaxConnections(int connections) {
        return new HubLimits(
                connections,
                maxMessageBytes,
                maxQueuedMessages,
                maxQueuedBytes,
                maxQueuedBytesOfAll,
                maxMessagesPerSecond,
                maxWaitingRequests);
    }

    /// These limits with another one for the messages that a peer sends.
    public HubLimits withMaxMessagesPerSecond(int messages) {
        return new HubLimits(
                maxConnections,
                maxMessageBytes,
                maxQueuedMessages,
                maxQueuedBytes,
                maxQueuedBytesOfAll,
                messages,
                maxWaitingRequests);
    }

    /// These limits with another one for the requests that wait to be dispatched again.
    public HubLimits withMaxWaitingRequests(int requests) {
        return new HubLimits(
                maxConnections,
                maxMessageBytes,
                maxQueuedMessages,
                maxQueuedBytes,
                maxQueuedBytesOfAll,
                maxMessagesPerSecond,
                requests);
    }

    private static void positive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s %d of a hub: it must be positive".formatted(name, value));
        }
    }
}
