package dev.artel.store.s3;

import java.net.URI;
import java.util.Optional;

/// Where a bucket is, and how to get in.
///
/// @param bucket its name; it must be there
/// @param prefix what all keys begin with, such as `artel/`; one orchestrator each. Empty: nothing
/// @param region where it is
/// @param endpoint of a store other than Amazon's, `http://10.0.0.7:9000`
/// @param pathStyle whether the bucket stands in the path rather than in the host name
/// @param keys empty: found as all programs of Amazon find theirs (variables, profile, the machine's role)
public record S3Settings(
        String bucket,
        String prefix,
        String region,
        Optional<URI> endpoint,
        boolean pathStyle,
        Optional<Keys> keys) {
    /// No bucket yet, in `us-east-1`.
    public static final S3Settings DEFAULTS =
            new S3Settings("", "", "us-east-1", Optional.empty(), false, Optional.empty());

    /// The two keys of an account.
    ///
    /// @param secret never shown
    public record Keys(String access, String secret) {
        @Override
        public String toString() {
            return access + ":***";
        }
    }

    /// These settings with another bucket.
    public S3Settings withBucket(String name) {
        return new S3Settings(name, prefix, region, endpoint, pathStyle, keys);
    }

    /// These settings with another prefix.
    public S3Settings withPrefix(String text) {
        return new S3Settings(bucket, text, region, endpoint, pathStyle, keys);
    }

    /// These settings in another region.
    public S3Settings withRegion(String name) {
        return new S3Settings(bucket, prefix, name, endpoint, pathStyle, keys);
    }

    /// These settings at a store other than Amazon's.
    public S3Settings withEndpoint(URI uri) {
        return new S3Settings(bucket, prefix, region, Optional.of(uri), pathStyle, keys);
    }

    /// These settings with the bucket in the path, or not.
    public S3Settings withPathStyle(boolean isInPath) {
        return new S3Settings(bucket, prefix, region, endpoint, isInPath, keys);
    }

    /// These settings with other keys.
    public S3Settings withKeys(Keys other) {
        return new S3Settings(bucket, prefix, region, endpoint, pathStyle, Optional.of(other));
    }

    /// For messages: `s3://bucket/prefix at http://10.0.0.7:9000`.
    @Override
    public String toString() {
        return "s3://" + bucket + "/" + prefix + endpoint.map(uri -> " at " + uri).orElse("");
    }
}
