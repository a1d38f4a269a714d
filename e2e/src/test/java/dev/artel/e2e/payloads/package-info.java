/// Large values from end to end, in a folder and in a bucket.
@NullMarked
package dev.artel.e2e.payloads;

import org.jspecify.annotations.NullMarked;
