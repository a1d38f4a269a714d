package dev.artel.worker.server.hub;

/// The codes with which a hub closes a connection. Those from 4000 on belong to the protocol of workers; workers may close
/// with codes of their own.
public final class CloseCode {
    /// The server stops.
    public static final int GOING_AWAY = 1001;

    /// The connection takes messages more slowly than it is sent some, or sends more than it may.
    public static final int POLICY = 1008;

    /// There are too many connections, or a registration could not be checked: try again later.
    public static final int TRY_AGAIN_LATER = 1013;

    /// The token was not accepted. A refused acknowledgement precedes it.
    public static final int AUTHENTICATION_FAILED = 4001;

    /// Another connection registered the same worker, or no heartbeat came for three times the timeout.
    public static final int REPLACED_OR_DEAD = 4003;

    /// A registration that is not valid, a heartbeat for another worker, or three frames that are no messages.
    public static final int PROTOCOL_ERROR = 4400;

    /// No valid registration came in time.
    public static final int REGISTRATION_TIMEOUT = 4408;

    /// The id belongs to another connection, and the hub lets no connection take it over.
    public static final int DUPLICATE_WORKER = 4409;

    /// A draining worker has finished its work, or its time for that is over.
    public static final int DRAINED = 4410;

    /// A message is larger than the hub takes.
    public static final int MESSAGE_TOO_LARGE = 4413;

    /// As many connections are open under the token as there may be.
    public static final int TOO_MANY_CONNECTIONS = 4429;

    private CloseCode() {}
}
