/// Keeps contents as objects of a bucket.
@NullMarked
package dev.artel.store.s3;

import org.jspecify.annotations.NullMarked;
