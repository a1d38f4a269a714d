package dev.artel.server.wiring;

import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.FixedAnswer;
import io.javalin.compression.CompressionStrategy;
import io.javalin.compression.CompressionType;
import io.javalin.compression.Gzip;
import java.util.List;

/// How answers are made smaller: zstd for those who take it, else gzip.
final class Compression {
    private static final int LEVEL = 6;
    private static final int ZSTD_LEVEL = 3;

    private Compression() {}

    static CompressionStrategy strategy() {
        var strategy =
                FixedAnswer.hasZstd()
                        ? new CompressionStrategy(
                                null, new Gzip(LEVEL), new io.javalin.compression.Zstd(ZSTD_LEVEL))
                        : new CompressionStrategy(null, new Gzip(LEVEL));
        strategy.setDefaultMinSizeForCompression(Answers.SMALL);
        strategy.setPreferredCompressors(List.of(CompressionType.ZSTD, CompressionType.GZIP));
        return strategy;
    }
}
