package dev.artel.amqp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.impl.AMQImpl;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/// The header of a message, byte by byte as AMQP 0-9-1 has it: class and weight (2 bytes each), the size of the body (8), which properties there
/// are (2), and the properties.
final class ContentHeader {
    /// The entry of the header table with the reason for which a message was not read.
    static final String REFUSAL = "artel-refusal";

    private static final int SIZE_AT = 4;
    private static final int FLAGS_AT = 12;
    private static final int PROPERTIES_AT = 14;
    private static final int CONTENT_TYPE = 1 << 15;
    private static final int CONTENT_ENCODING = 1 << 14;
    private static final int TABLE = 1 << 13;

    private static final byte[] NO_TABLE = {};

    private ContentHeader() {}

    /// How many bytes the body has.
    static long bodySize(byte[] header) {
        return ByteBuffer.wrap(header).getLong(SIZE_AT);
    }

    /// The header as the client of RabbitMQ decodes it, without its table: the client ends the connection over a table that is nested too deeply or has a
    /// value of an unknown type, and nothing here reads tables. One that cannot be decoded without it is that of a message that is not read, with no
    /// properties.
    static byte[] decodable(byte[] header) {
        try {
            var decodable = withTable(header, bodySize(header), NO_TABLE);
            var _ =
                    AMQImpl.readContentHeaderFrom(
                            new DataInputStream(new ByteArrayInputStream(decodable)));
            return decodable;
        } catch (IOException | RuntimeException malformed) {
            return blank(header, "its properties cannot be decoded: " + malformed.getMessage());
        }
    }

    private static byte[] blank(byte[] header, String reason) {
        var table = table(reason);
        return ByteBuffer.allocate(PROPERTIES_AT + table.length)
                .put(header, 0, SIZE_AT)
                .putLong(0)
                .putShort((short) TABLE)
                .put(table)
                .array();
    }

    /// The header of a message that is not read: with an empty body, `reason` as its header table, and its other properties.
    static byte[] refused(byte[] header, String reason) {
        return withTable(header, 0, table(reason));
    }

    private static byte[] withTable(byte[] header, long bodySize, byte[] table) {
        var flags = Short.toUnsignedInt(ByteBuffer.wrap(header).getShort(FLAGS_AT));
        var from = ByteBuffer.wrap(header).position(PROPERTIES_AT);
        if ((flags & CONTENT_TYPE) != 0) {
            skipText(from);
        }
        if ((flags & CONTENT_ENCODING) != 0) {
            skipText(from);
        }
        var tableAt = from.position();
        if ((flags & TABLE) != 0) {
            skip(from, Integer.toUnsignedLong(from.getInt()));
        }
        var to = ByteBuffer.allocate(tableAt + table.length + from.remaining());
        to.put(header, 0, SIZE_AT).putLong(bodySize);
        to.putShort((short) (table.length == 0 ? flags & ~TABLE : flags | TABLE));
        to.put(header, PROPERTIES_AT, tableAt - PROPERTIES_AT).put(table).put(from);
        return to.array();
    }

    private static void skipText(ByteBuffer from) {
        skip(from, Byte.toUnsignedInt(from.get()));
    }

    private static void skip(ByteBuffer from, long bytes) {
        if (bytes > from.remaining()) {
            throw new BufferUnderflowException();
        }
        from.position(from.position() + (int) bytes);
    }

    private static byte[] table(String reason) {
        var name = REFUSAL.getBytes(UTF_8);
        var text = reason.getBytes(UTF_8);
        var length = 1 + name.length + 1 + Integer.BYTES + text.length;
        return ByteBuffer.allocate(Integer.BYTES + length)
                .putInt(length)
                .put((byte) name.length)
                .put(name)
                .put((byte) 'S')
                .putInt(text.length)
                .put(text)
                .array();
    }
}
