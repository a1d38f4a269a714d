package dev.artel.gateway.websocket;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.worker.server.hub.ConnectionInput;
import dev.artel.worker.server.hub.WorkerConnection;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A connection of a worker, and the token that it showed last: with the upgrade, or with its registration.
final class UpgradedConnection implements WorkerConnection {
    private final WorkerConnection connection;

    /// That of the upgrade; null if it had none.
    private final @Nullable String atUpgrade;

    private volatile @Nullable String token;

    /// Whose token that is; empty before the worker has shown one.
    private volatile String holder = "";

    /// Among those of the token; null before the worker has shown one.
    private TokenConnections.@Nullable Place place;

    private boolean isClosed;

    UpgradedConnection(WorkerConnection connection, @Nullable String atUpgrade) {
        this.connection = connection;
        this.atUpgrade = atUpgrade;
        this.token = atUpgrade;
    }

    @Nullable String atUpgrade() {
        return atUpgrade;
    }

    /// The token under which the worker is registered, or wants to be; null if it showed none.
    @Nullable String token() {
        return token;
    }

    /// Whose token the worker has shown: all tokens of one worker are those of one holder.
    String holder() {
        return holder;
    }

    @Override
    public String owner() {
        return holder.isEmpty() ? remoteAddress() : holder;
    }

    /// The worker shows a token that is good.
    ///
    /// @param shownHolder whose token it is: all that count as one have the same
    /// @param places gives the connection its place among those of that token
    /// @return whether there is one
    synchronized boolean shows(
            String accepted,
            String shownHolder,
            Supplier<Optional<TokenConnections.Place>> places) {
        if (!isClosed && (place == null || !accepted.equals(token))) {
            var next = places.get().orElse(null);
            if (next == null) {
                return false;
            }
            if (place != null) {
                place.close();
            }
            place = next;
        }
        token = accepted;
        holder = shownHolder;
        return true;
    }

    private synchronized void closed() {
        isClosed = true;
        if (place != null) {
            place.close();
        }
    }

    /// `input`, of which this learns that the connection is closed.
    ConnectionInput watched(ConnectionInput input) {
        return new ConnectionInput() {
            @Override
            public boolean mayGoOn(long bytes) {
                return input.mayGoOn(bytes);
            }

            @Override
            public void onText(String text) {
                input.onText(text);
            }

            @Override
            public void onBinary(ByteBuffer bytes) {
                input.onBinary(bytes);
            }

            @Override
            public void onPong(ByteBuffer payload) {
                input.onPong(payload);
            }

            @Override
            public void onTooLarge(ByteBuffer beginning) {
                input.onTooLarge(beginning);
            }

            @Override
            public void onError(Throwable cause) {
                input.onError(cause);
            }

            @Override
            public void onClosed(int code, String reason) {
                closed();
                input.onClosed(code, reason);
            }
        };
    }

    @Override
    public void sendText(String text, Runnable onSent, Consumer<Throwable> onFailure) {
        connection.sendText(text, onSent, onFailure);
    }

    @Override
    public void sendPing(String payload, Runnable onSent, Consumer<Throwable> onFailure) {
        connection.sendPing(payload, onSent, onFailure);
    }

    @Override
    public void close(int code, String reason) {
        connection.close(code, reason);
    }

    @Override
    public void terminate() {
        connection.terminate();
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public String remoteAddress() {
        return connection.remoteAddress();
    }
}
