package dev.artel.store.s3;

import dev.artel.kernel.store.ObjectStore.Bytes;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;

/// The content of an object on its way in.
final class Download implements Bytes {
    private final ResponseInputStream<?> in;
    private final S3Failures s3Failures;
    private final String digest;
    private boolean isAtEnd;

    Download(ResponseInputStream<?> in, S3Failures s3Failures, String digest) {
        this.in = in;
        this.s3Failures = s3Failures;
        this.digest = digest;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        try {
            var read = in.read(into, offset, most);
            isAtEnd = read < 0;
            return read;
        } catch (IOException | SdkException e) {
            throw s3Failures.of("reading", digest, e);
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
                throw s3Failures.of("reading", digest, e);
            }
        }
    }
}
