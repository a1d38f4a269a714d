package dev.artel.store.s3;

import dev.artel.kernel.store.ObjectStore.Bytes;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;

/// The content of an object on its way in.
final class Receiving implements Bytes {
    private final ResponseInputStream<?> in;
    private final Failures failures;
    private final String digest;
    private boolean isAtEnd;

    Receiving(ResponseInputStream<?> in, Failures failures, String digest) {
        this.in = in;
        this.failures = failures;
        this.digest = digest;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        try {
            var read = in.read(into, offset, most);
            isAtEnd = read < 0;
            return read;
        } catch (IOException | SdkException e) {
            throw failures.of("reading", digest, e);
        }
    }

    /// What was not read is not waited for.
    @Override
    public void close() {
        if (!isAtEnd) {
            in.abort();
        }
        try {
            in.close();
        } catch (IOException e) {
            if (isAtEnd) {
                throw failures.of("reading", digest, e);
            }
        }
    }
}
