package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreWatch.Pulse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/// A connection that reads, with the statements that are used all the time: to prepare one costs more than to run it.
/// Not safe for use by many threads.
final class Reader implements AutoCloseable {
    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private volatile Pulse pulse = Pulse.NONE;

    Reader(Connection connection) {
        this.connection = connection;
    }

    void setWatch(Pulse watch) {
        pulse = watch;
    }

    /// Reports what is read with it.
    Pulse pulse() {
        return pulse;
    }

    Connection connection() {
        return connection;
    }

    /// A statement that stays open; its result is to be closed by the caller.
    ///
    /// @param sql one of a few, which are kept for good
    PreparedStatement prepared(String sql) throws SQLException {
        var statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        // Closes its statements as well.
        connection.close();
    }
}
