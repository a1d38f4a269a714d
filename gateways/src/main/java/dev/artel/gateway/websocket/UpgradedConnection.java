package dev.artel.gateway.websocket;

import dev.artel.worker.server.hub.WorkerConnection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A connection of a worker, and the token that it showed last: with the upgrade, or with its registration.
final class UpgradedConnection implements WorkerConnection {
    private final WorkerConnection connection;

    /// That of the upgrade; null if it had none.
    private final @Nullable String atUpgrade;

    private volatile @Nullable String token;

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

    void shows(String accepted) {
        token = accepted;
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
