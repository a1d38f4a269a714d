package dev.artel.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.WriteListener;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Has the frames that a test wants to be read, and null when there are no more.
final class ScriptedSocket implements FrameHandler {
    static final int METHOD = 1;
    static final int HEADER = 2;
    static final int BODY = 3;
    private static final int DELIVER = 60 << 16 | 60;
    private static final int RETURN = 60 << 16 | 50;

    private final Queue<Frame> frames = new ArrayDeque<>();
    boolean isClosed;

    /// A delivery whose body is in frames of at most `frame` bytes.
    ScriptedSocket delivery(int channel, byte[] header, int body, int frame) {
        return content(DELIVER, channel, header, body, frame);
    }

    /// A message that comes back to its sender.
    ScriptedSocket returned(int channel, byte[] header, int body) {
        return content(RETURN, channel, header, body, body);
    }

    private ScriptedSocket content(int method, int channel, byte[] header, int body, int frame) {
        var begin = ByteBuffer.allocate(Integer.BYTES).putInt(method).array();
        frames.add(new Frame(METHOD, channel, begin));
        frames.add(new Frame(HEADER, channel, header));
        for (var left = body; left > 0; left -= frame) {
            frames.add(new Frame(BODY, channel, new byte[Math.min(left, frame)]));
        }
        return this;
    }

    /// As the client of RabbitMQ writes it.
    static byte[] header(BasicProperties properties, long bodySize) throws Exception {
        return properties.toFrame(1, bodySize).getPayload();
    }

    @Override
    public @Nullable Frame readFrame() {
        return frames.poll();
    }

    @Override
    public void close() {
        isClosed = true;
    }

    @Override
    public void setTimeout(int millis) {}

    @Override
    public int getTimeout() {
        return 0;
    }

    @Override
    public void sendHeader() {}

    @Override
    public void initialize(AMQConnection connection) {}

    @Override
    public void startProcessing() {}

    @Override
    public void finishConnectionNegotiation() {}

    @Override
    public void setFrameMax(int bytes) {}

    @Override
    public void writeFrame(Frame frame) {}

    @Override
    public void flush(WriteListener listener) {}

    @Override
    public InetAddress getLocalAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int getLocalPort() {
        return 0;
    }

    @Override
    public InetAddress getAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int getPort() {
        return 0;
    }
}
