package dev.artel.store.s3;

import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.VerifiedBytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/// Keeps each content as an object of a bucket, under its prefix and its SHA-256. An object is whole from the moment it is
/// there; when it was put last is the time that the bucket has for it. A bucket with versions or a life cycle of its own is fine
/// as long as that outlives the jobs.
///
/// A request is tried up to four times; what is sent is read anew for each try.
public final class S3ObjectStore implements ObjectStore {
    private static final int TRIES = 4;
    private static final int PAGE = 1000;
    private static final int LOCKS = 64;
    private static final int OUT_OF_RANGE = 416;
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final Duration TRY = Duration.ofSeconds(60);
    private static final Duration CALL = Duration.ofMinutes(2);

    private final S3Settings place;
    private final S3Client client;
    private final S3Failures s3Failures;

    /// Held while a thread puts or removes a content; one for many of them.
    private final List<ReentrantLock> locks = new ArrayList<>();

    private S3ObjectStore(S3Settings place, S3Client client) {
        this.place = place;
        this.client = client;
        this.s3Failures = new S3Failures(place);
        for (var i = 0; i < LOCKS; i++) {
            locks.add(new ReentrantLock());
        }
    }

    /// The store in the bucket of `place`, which is asked for.
    ///
    /// @throws StoreUnavailable if the bucket is not there or cannot be used
    public static S3ObjectStore open(S3Settings place) {
        var store = notAsked(place);
        try {
            store.client.headBucket(request -> request.bucket(place.bucket()));
            return store;
        } catch (SdkException e) {
            store.close();
            throw store.s3Failures.ofBucket("opening", e);
        }
    }

    static S3ObjectStore notAsked(S3Settings place) {
        return new S3ObjectStore(place, client(place));
    }

    static S3Client client(S3Settings place) {
        var builder =
                S3Client.builder()
                        .region(Region.of(place.region()))
                        .credentialsProvider(credentials(place))
                        .forcePathStyle(place.pathStyle())
                        // Not every store knows these; contents are checked by their names.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        .httpClientBuilder(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(CONNECT)
                                        .socketTimeout(SILENCE))
                        .overrideConfiguration(its ->
                                its.apiCallAttemptTimeout(TRY)
                                        .apiCallTimeout(CALL)
                                        .retryStrategy(
                                                AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                                        .maxAttempts(TRIES)
                                                        .build()));
        place.endpoint().ifPresent(builder::endpointOverride);
        return builder.build();
    }

    private static AwsCredentialsProvider credentials(S3Settings place) {
        return place.keys()
                .<AwsCredentialsProvider>map(keys ->
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create(keys.access(), keys.secret())))
                .orElseGet(() -> DefaultCredentialsProvider.builder().build());
    }

    /// Sends it also where it is there already, so that its time begins anew.
    @Override
    public void put(String digest, long bytes, Supplier<Bytes> content) {
        var key = keyOf(digest);
        var refused = new AtomicReference<IllegalArgumentException>();
        var lock = lockOf(digest);
        lock.lock();
        try {
            client.putObject(
                    request ->
                            request.bucket(place.bucket())
                                    .key(key)
                                    .contentType("application/json")
                                    .contentLength(bytes),
                    RequestBody.fromContentProvider(
                            () ->
                                    new Upload(
                                            new VerifiedBytes(
                                                    content.get(),
                                                    digest,
                                                    bytes,
                                                    found -> refusal(digest, found, refused)),
                                            bytes),
                            bytes,
                            "application/json"));
        } catch (SdkException e) {
            var wrong = refused.get();
            throw wrong == null ? s3Failures.of("keeping", digest, e) : wrong;
        } finally {
            lock.unlock();
        }
    }

    private static IllegalArgumentException refusal(
            String digest, String found, AtomicReference<IllegalArgumentException> refused) {
        refused.set(
                new IllegalArgumentException(
                        "keeping payload " + digest + ": " + found + "; nothing was kept"));
        return refused.get();
    }

    @Override
    public Optional<Bytes> open(String digest) {
        var key = keyOf(digest);
        try {
            var in = client.getObject(request -> request.bucket(place.bucket()).key(key));
            return Optional.of(
                    new VerifiedBytes(
                            new Download(in, s3Failures, digest),
                            digest,
                            found ->
                                    new StoreCorrupt(
                                            "reading payload "
                                                    + key
                                                    + " in bucket "
                                                    + place.bucket()
                                                    + ": "
                                                    + found
                                                    + "; restore the object from a backup",
                                            null)));
        } catch (NoSuchKeyException _) {
            return Optional.empty();
        } catch (SdkException e) {
            throw s3Failures.of("reading", digest, e);
        }
    }

    @Override
    public Optional<Bytes> open(String digest, long from, int bytes) {
        var key = keyOf(digest);
        var range = "bytes=" + from + "-" + (from + bytes - 1);
        try {
            var in =
                    client.getObject(
                            request -> request.bucket(place.bucket()).key(key).range(range));
            return Optional.of(new Download(in, s3Failures, digest));
        } catch (NoSuchKeyException _) {
            return Optional.empty();
        } catch (SdkException e) {
            if (e instanceof S3Exception behind && behind.statusCode() == OUT_OF_RANGE) {
                return Optional.of(new BytesInMemory(new byte[0]));
            }
            throw s3Failures.of("reading", digest, e);
        }
    }

    @Override
    public Optional<Kept> find(String digest) {
        var key = keyOf(digest);
        try {
            var head = client.headObject(request -> request.bucket(place.bucket()).key(key));
            return Optional.of(new Kept(digest, head.contentLength(), head.lastModified()));
        } catch (NoSuchKeyException _) {
            return Optional.empty();
        } catch (SdkException e) {
            throw s3Failures.of("finding", digest, e);
        }
    }

    @Override
    public boolean remove(String digest, Instant before) {
        var lock = lockOf(digest);
        lock.lock();
        try {
            if (find(digest).filter(kept -> kept.put().isBefore(before)).isEmpty()) {
                return false;
            }
            client.deleteObject(request -> request.bucket(place.bucket()).key(keyOf(digest)));
            return true;
        } catch (SdkException e) {
            throw s3Failures.of("removing", digest, e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Kept> list(String after, int limit) {
        try {
            var found = new ArrayList<Kept>();
            var from = place.prefix() + after;
            while (true) {
                var begin = from;
                var page =
                        client.listObjectsV2(request ->
                                request.bucket(place.bucket())
                                        .prefix(place.prefix())
                                        .startAfter(begin)
                                        .maxKeys(Math.min(limit, PAGE)));
                page.contents().forEach(object -> kept(object).ifPresent(found::add));
                // A page of nothing but objects of others is not the end.
                if (!found.isEmpty()
                        || page.contents().isEmpty()
                        || !Boolean.TRUE.equals(page.isTruncated())) {
                    return found;
                }
                from = page.contents().getLast().key();
            }
        } catch (SdkException e) {
            throw s3Failures.ofBucket("listing", e);
        }
    }

    private Optional<Kept> kept(S3Object object) {
        var name = object.key().substring(place.prefix().length());
        return VerifiedBytes.isDigest(name)
                ? Optional.of(new Kept(name, object.size(), object.lastModified()))
                : Optional.empty();
    }

    @Override
    public String place() {
        return place.toString();
    }

    @Override
    public void close() {
        client.close();
    }

    private ReentrantLock lockOf(String digest) {
        return locks.get(Math.floorMod(digest.hashCode(), LOCKS));
    }

    private String keyOf(String digest) {
        if (!VerifiedBytes.isDigest(digest)) {
            throw new StoreCorrupt(
                    "looking for payload " + digest + " in " + place + ": no SHA-256 digest", null);
        }
        return place.prefix() + digest;
    }
}
