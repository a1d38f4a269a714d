package dev.artel.amqp;

import com.rabbitmq.client.WriteListener;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the frames of a connection: headers so that they can be decoded, the next delivery when there is room for its body, and no body of what is too
/// large or cannot be decoded. One thread reads.
final class BoundedFrames implements FrameHandler {
    private static final int METHOD = 1;
    private static final int HEADER = 2;
    private static final int BODY = 3;

    /// The class `basic` with its method `deliver`, the first four bytes of the frame.
    private static final int DELIVER = 60 << 16 | 60;

    /// The class `connection` with its method `close`, likewise.
    private static final int CLOSE = 10 << 16 | 50;

    private final FrameHandler socket;
    private final ReadAhead ahead;
    private final int mostBytes;

    /// The channels on which a delivery has begun; other contents answer what was sent, and no consumer gets them.
    private final Set<Integer> delivering = new HashSet<>();

    /// How many bytes are left of the body that a channel does not get.
    private final Map<Integer, Long> unwanted = new HashMap<>();

    BoundedFrames(FrameHandler socket, ReadAhead ahead, int mostBytes) {
        this.socket = socket;
        this.ahead = ahead;
        this.mostBytes = mostBytes;
    }

    ReadAhead ahead() {
        return ahead;
    }

    @Override
    public @Nullable Frame readFrame() throws IOException {
        while (true) {
            var frame = socket.readFrame();
            if (frame == null) {
                return null;
            }
            switch (frame.getType()) {
                case METHOD -> begin(frame);
                case HEADER -> {
                    return header(frame);
                }
                case BODY -> {
                    if (isUnwanted(frame)) {
                        continue;
                    }
                }
                default -> {}
            }
            return frame;
        }
    }

    private void begin(Frame frame) throws IOException {
        unwanted.remove(frame.getChannel());
        if (frame.getInputStream().readInt() == DELIVER) {
            delivering.add(frame.getChannel());
        } else {
            delivering.remove(frame.getChannel());
        }
    }

    private Frame header(Frame frame) throws IOException {
        var channel = frame.getChannel();
        var bytes = ContentHeader.bodySize(frame.getPayload());
        var header = ContentHeader.decodable(frame.getPayload());
        var isDelivery = delivering.remove(channel);
        if (isDelivery && bytes > mostBytes) {
            var reason = "it has " + bytes + " bytes, the limit is " + mostBytes;
            header = ContentHeader.refused(header, reason);
        }
        var kept = ContentHeader.bodySize(header);
        if (kept < bytes) {
            unwanted.put(channel, bytes);
        } else if (isDelivery) {
            ahead.take(bytes);
        }
        return new Frame(HEADER, channel, header);
    }

    private boolean isUnwanted(Frame frame) {
        var left = unwanted.get(frame.getChannel());
        if (left == null) {
            return false;
        }
        var rest = left - frame.getPayload().length;
        if (rest > 0) {
            unwanted.put(frame.getChannel(), rest);
        } else {
            unwanted.remove(frame.getChannel());
        }
        return true;
    }

    @Override
    public void close() {
        ahead.end();
        socket.close();
    }

    @Override
    public boolean internalHearbeat() {
        return socket.internalHearbeat();
    }

    @Override
    public void setTimeout(int millis) throws SocketException {
        socket.setTimeout(millis);
    }

    @Override
    public int getTimeout() throws SocketException {
        return socket.getTimeout();
    }

    @Override
    public void sendHeader() throws IOException {
        socket.sendHeader();
    }

    @Override
    public void initialize(AMQConnection connection) {
        socket.initialize(connection);
    }

    @Override
    public void startProcessing() {
        socket.startProcessing();
    }

    @Override
    public void finishConnectionNegotiation() {
        socket.finishConnectionNegotiation();
    }

    @Override
    public void setFrameMax(int bytes) {
        socket.setFrameMax(bytes);
    }

    /// The answer of the broker to a close comes after all that it has sent before.
    @Override
    public void writeFrame(Frame frame) throws IOException {
        if (frame.getType() == METHOD
                && frame.getChannel() == 0
                && ByteBuffer.wrap(frame.getPayload()).getInt() == CLOSE) {
            ahead.closing();
        }
        socket.writeFrame(frame);
    }

    @Override
    public void flush(WriteListener listener) throws IOException {
        socket.flush(listener);
    }

    @Override
    public InetAddress getLocalAddress() {
        return socket.getLocalAddress();
    }

    @Override
    public int getLocalPort() {
        return socket.getLocalPort();
    }

    @Override
    public InetAddress getAddress() {
        return socket.getAddress();
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }
}
