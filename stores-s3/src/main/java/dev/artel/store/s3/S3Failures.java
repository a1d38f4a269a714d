package dev.artel.store.s3;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Describes what became of a request, and what to do.
final class S3Failures {
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;
    private static final int MOVED = 301;

    private final S3Settings place;

    S3Failures(S3Settings place) {
        this.place = place;
    }

    StoreUnavailable of(String attempted, String digest, Exception failure) {
        return new StoreUnavailable(
                attempted
                        + " payload "
                        + place.prefix()
                        + digest
                        + " in bucket "
                        + place.bucket()
                        + place.endpoint().map(uri -> " at " + uri).orElse("")
                        + ": found "
                        + found(failure)
                        + "; "
                        + advice(failure),
                failure);
    }

    StoreUnavailable ofBucket(String attempted, Exception failure) {
        return new StoreUnavailable(
                attempted
                        + " bucket "
                        + place.bucket()
                        + place.endpoint().map(uri -> " at " + uri).orElse("")
                        + ": found "
                        + found(failure)
                        + "; "
                        + advice(failure),
                failure);
    }

    private static String found(Exception failure) {
        if (failure instanceof S3Exception answer) {
            var details = answer.awsErrorDetails();
            return details == null || details.errorCode() == null
                    ? "status " + answer.statusCode()
                    : "status " + answer.statusCode() + " " + details.errorCode();
        }
        var root = (Throwable) failure;
        for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        return failure.getCause() == null
                ? failure.toString()
                : failure.getMessage() + " (" + root + ")";
    }

    private static String advice(Exception failure) {
        if (!(failure instanceof S3Exception answer)) {
            return "check payloads.s3.endpoint, the network and the keys";
        }
        if (failure instanceof NoSuchBucketException) {
            return "make the bucket, or correct payloads.s3.bucket";
        }
        return switch (answer.statusCode()) {
            case FORBIDDEN, UNAUTHORIZED ->
                    "check payloads.s3.access-key, payloads.s3.secret-key and what they may do:"
                            + " ListBucket, GetObject, PutObject, DeleteObject";
            case NOT_FOUND -> "make the bucket, or correct payloads.s3.bucket";
            case MOVED -> "correct payloads.s3.region";
            default -> "it is tried again; look at the state of the object store if it goes on";
        };
    }
}
