package dev.artel.gateway.http;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;

/// Makes connections that know what their clients say again and again.
final class RepeatingConnections extends HttpConnectionFactory {
    private final RepeatingConnection.Answerer answerer;

    RepeatingConnections(HttpConfiguration configuration, RepeatingConnection.Answerer answerer) {
        super(configuration);
        this.answerer = answerer;
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        var connection =
                new RepeatingConnection(getHttpConfiguration(), connector, endPoint, answerer);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }
}
