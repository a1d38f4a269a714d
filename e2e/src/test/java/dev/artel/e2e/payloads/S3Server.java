package dev.artel.e2e.payloads;

import dev.artel.store.s3.S3Settings;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.TransientApiMetadata;

/// A server that speaks S3 on a free port, with signed requests, and keeps its objects in memory.
public final class S3Server {
    private static final String ACCESS = "access-of-the-tests";
    private static final String SECRET = "secret-of-the-tests";

    private final BlobStoreContext context;
    private final S3Proxy proxy;

    private S3Server(BlobStoreContext context, S3Proxy proxy) {
        this.context = context;
        this.proxy = proxy;
    }

    /// Starts one.
    public static S3Server start() throws Exception {
        var context =
                ContextBuilder.newBuilder(new TransientApiMetadata())
                        .credentials("identity", "credential")
                        .build(BlobStoreContext.class);
        var proxy =
                S3Proxy.builder()
                        .blobStore(context.getBlobStore())
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V4, ACCESS, SECRET)
                        .build();
        proxy.start();
        return new S3Server(context, proxy);
    }

    /// Settings with which a client gets in, for a bucket that is made.
    public S3Settings bucket(String name) {
        context.getBlobStore().createContainerInLocation(null, name);
        return S3Settings.DEFAULTS
                .withBucket(name)
                .withEndpoint(URI.create("http://127.0.0.1:" + proxy.getPort()))
                .withPathStyle(true)
                .withKeys(new S3Settings.Keys(ACCESS, SECRET));
    }

    /// The bytes of an object, if it is there.
    public Optional<byte[]> object(String bucket, String name) throws IOException {
        var blob = context.getBlobStore().getBlob(bucket, name);
        var payload = blob == null ? null : blob.getPayload();
        if (payload == null) {
            return Optional.empty();
        }
        try (var content = payload.openStream()) {
            return Optional.of(content.readAllBytes());
        }
    }

    long objectsIn(String bucket) {
        return context.getBlobStore().countBlobs(bucket);
    }

    /// Stops it; its objects are gone.
    public void stop() throws Exception {
        proxy.stop();
        context.close();
    }
}
