package dev.artel.server.api.http;

import com.github.luben.zstd.Zstd;
import dev.artel.gateway.http.UnreadBody;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What many requests are answered with, also those of strangers: it is compressed once, however
/// often it is asked for. Safe for use by many
/// threads.
public final class FixedAnswer {
    private static final Logger LOG = LoggerFactory.getLogger(FixedAnswer.class);

    private static final String ZSTD = "zstd";
    private static final String GZIP = "gzip";
    private static final String PLAIN = "";

    private final String type;
    private final byte[] plain;
    private final Map<String, byte[]> compressed = new ConcurrentHashMap<>();

    /// Its native library is unpacked into the system's temporary folder, which may forbid programs.
    private static final class Library {
        static final boolean HAS_ZSTD = hasZstd();

        private static boolean hasZstd() {
            try {
                return Zstd.compress(new byte[Answers.SMALL]).length > 0;
            } catch (LinkageError | RuntimeException missing) {
                LOG.atInfo()
                        .addKeyValue("cause", missing.toString())
                        .log("answers are compressed with gzip only");
                return false;
            }
        }
    }

    /// @param type its media type
    /// @param plain its bytes, which nobody changes
    public FixedAnswer(String type, byte[] plain) {
        this.type = type;
        this.plain = plain;
    }

    /// Whether answers can be compressed with zstd here.
    public static boolean hasZstd() {
        return Library.HAS_ZSTD;
    }

    /// Answers `request` with it, compressed as its client takes it: with zstd, else with gzip.
    public void answer(Context request) {
        var encoding = plain.length < Answers.SMALL ? PLAIN : encoding(request);
        var bytes =
                encoding.equals(PLAIN)
                        ? plain
                        : compressed.computeIfAbsent(encoding, this::compress);
        UnreadBody.beforeAnswer(request, 200);
        request.status(200).contentType(type);
        if (!encoding.equals(PLAIN)) {
            request.header("Content-Encoding", encoding);
        }
        request.header("Vary", "Accept-Encoding");
        Answers.send(request, bytes);
    }

    /// The same, where each of those who ask may have another one: a large one waits for room.
    public void answerInRoom(Context request) {
        Answers.takeRoom(request, plain.length);
        answer(request);
    }

    private static String encoding(Context request) {
        var accepted = request.header("Accept-Encoding");
        if (accepted == null) {
            return PLAIN;
        }
        if (accepted.contains(ZSTD) && hasZstd()) {
            return ZSTD;
        }
        return accepted.contains(GZIP) ? GZIP : PLAIN;
    }

    private byte[] compress(String encoding) {
        if (encoding.equals(ZSTD)) {
            return Zstd.compress(plain);
        }
        var bytes = new ByteArrayOutputStream(plain.length / 3);
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }
}
