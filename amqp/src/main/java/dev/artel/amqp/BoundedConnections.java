package dev.artel.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.FrameHandlerFactory;
import java.io.IOException;
import java.util.Optional;

/// Opens connections on which messages are read within bounds: their bodies take a share of the heap ([ReadAhead]), the body of one that is too
/// large is not kept, whatever the broker lets in, and the tables in their headers are left out. What is too large or cannot be decoded reaches its
/// consumer with an empty body and a [#refusal]: the client of RabbitMQ would end the connection, and the broker would send the message again over
/// the next one, forever.
public final class BoundedConnections extends ConnectionFactory {
    private final int mostBytes;

    /// @param mostBytes how many bytes a message may have
    public BoundedConnections(int mostBytes) {
        this.mostBytes = mostBytes;
        // Bounded by the frames, where it does not end the connection.
        setMaxInboundMessageBodySize(Integer.MAX_VALUE);
        setAutomaticRecoveryEnabled(false);
        setTopologyRecoveryEnabled(false);
    }

    @Override
    protected synchronized FrameHandlerFactory createFrameHandlerFactory() throws IOException {
        var sockets = super.createFrameHandlerFactory();
        return (address, name) ->
                new BoundedFrames(
                        sockets.create(address, name), new ReadAhead(ReadAhead.share()), mostBytes);
    }

    /// Why a message was not read; empty: it was.
    public static Optional<String> refusal(BasicProperties properties) {
        var headers = properties.getHeaders();
        return headers == null
                ? Optional.empty()
                : Optional.ofNullable(headers.get(ContentHeader.REFUSAL)).map(String::valueOf);
    }
}
