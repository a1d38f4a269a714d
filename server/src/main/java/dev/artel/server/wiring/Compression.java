package dev.artel.server.wiring;

import com.github.luben.zstd.Zstd;
import io.javalin.compression.CompressionStrategy;
import io.javalin.compression.CompressionType;
import io.javalin.compression.Gzip;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How answers are made smaller: zstd for those who take it, else gzip.
final class Compression {
    private static final Logger LOG = LoggerFactory.getLogger(Compression.class);

    /// Smaller answers stay as they are.
    private static final int WORTH_IT = 500;

    private static final int LEVEL = 6;
    private static final int ZSTD_LEVEL = 3;

    private Compression() {}

    static CompressionStrategy strategy() {
        var strategy =
                hasZstd()
                        ? new CompressionStrategy(
                                null, new Gzip(LEVEL), new io.javalin.compression.Zstd(ZSTD_LEVEL))
                        : new CompressionStrategy(null, new Gzip(LEVEL));
        strategy.setDefaultMinSizeForCompression(WORTH_IT);
        strategy.setPreferredCompressors(List.of(CompressionType.ZSTD, CompressionType.GZIP));
        return strategy;
    }

    /// Its native library is unpacked into the system's temporary folder, which may forbid programs.
    private static boolean hasZstd() {
        try {
            return Zstd.compress(new byte[WORTH_IT]).length > 0;
        } catch (LinkageError | RuntimeException missing) {
            LOG.atInfo()
                    .addKeyValue("cause", missing.toString())
                    .log("answers are compressed with gzip only");
            return false;
        }
    }
}
