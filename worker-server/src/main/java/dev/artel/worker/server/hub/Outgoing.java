package dev.artel.worker.server.hub;

/// Something on its way to a peer.
final class Outgoing {
    /// What it is.
    sealed interface Frame {
        /// A message, of so many bytes.
        record Text(String text, int bytes) implements Frame {}

        /// A ping with its payload.
        record Ping(String payload) implements Frame {}

        /// The end of the connection.
        record Close(int code, String reason) implements Frame {}
    }

    private enum State {
        QUEUED,
        SENT,
        FAILED
    }

    final Frame frame;
    private final Runnable onSent;
    private final Runnable onFailed;
    private State state = State.QUEUED;
    private boolean watched = true;
    private boolean broken;

    /// `onFailed` runs if this fails after [#unwatch]: the one who sends it looks itself until then.
    Outgoing(Frame frame, Runnable onFailed) {
        this(frame, () -> {}, onFailed);
    }

    /// The same, with `onSent`, which runs when this is handed to the network.
    Outgoing(Frame frame, Runnable onSent, Runnable onFailed) {
        this.frame = frame;
        this.onSent = onSent;
        this.onFailed = onFailed;
    }

    /// One whose outcome is not asked for.
    static Outgoing of(Frame frame) {
        return new Outgoing(frame, () -> {});
    }

    boolean isMessage() {
        return frame instanceof Frame.Text;
    }

    int bytes() {
        return frame instanceof Frame.Text(_, var bytes) ? bytes : 0;
    }

    /// Whether this is the first report about it.
    boolean sent() {
        synchronized (this) {
            if (state != State.QUEUED) {
                return false;
            }
            state = State.SENT;
        }
        onSent.run();
        return true;
    }

    /// It was not given to the transport.
    void failed() {
        failed(false, () -> {});
    }

    /// The connection broke while it was written. If this is the first report about it, `before` runs, and then `onFailed` unless this is watched.
    void broke(Runnable before) {
        failed(true, before);
    }

    private void failed(boolean isBroken, Runnable before) {
        boolean isWatched;
        synchronized (this) {
            if (state != State.QUEUED) {
                return;
            }
            state = State.FAILED;
            broken = isBroken;
            isWatched = watched;
        }
        before.run();
        if (!isWatched) {
            onFailed.run();
        }
    }

    /// Whether the connection broke while it was written, so that all of it may have arrived.
    synchronized boolean isBroken() {
        return broken;
    }

    /// Whether it has not failed so far; what fails from now on reports that.
    synchronized boolean unwatch() {
        watched = false;
        return state != State.FAILED;
    }
}
