package dev.artel.store.s3;

import dev.artel.kernel.store.NamedContents;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/// Keeps each content as an object of a bucket, under its prefix and its name. A bucket answers what was written last, as
/// Amazon's do.
public final class S3NamedContents implements NamedContents {
    private final S3Settings place;
    private final S3Client client;
    private final S3Failures s3Failures;

    private S3NamedContents(S3Settings place) {
        this.place = place;
        this.client = S3ObjectStore.client(place);
        this.s3Failures = new S3Failures(place);
    }

    /// The objects in the bucket of `place`, which is not asked for yet.
    public static S3NamedContents in(S3Settings place) {
        return new S3NamedContents(place);
    }

    @Override
    public Optional<byte[]> read(String name) {
        try {
            return Optional.of(
                    client.getObjectAsBytes(request ->
                                    request.bucket(place.bucket()).key(place.prefix() + name))
                            .asByteArray());
        } catch (NoSuchKeyException _) {
            return Optional.empty();
        } catch (SdkException e) {
            throw s3Failures.of("reading", name, e);
        }
    }

    @Override
    public void write(String name, byte[] content) {
        try {
            client.putObject(
                    request -> request.bucket(place.bucket()).key(place.prefix() + name),
                    RequestBody.fromBytes(content));
        } catch (SdkException e) {
            throw s3Failures.of("writing", name, e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
