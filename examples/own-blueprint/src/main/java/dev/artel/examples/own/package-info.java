/// A blueprint as an annotated class, a worker for its tasks, and a client that orders something.
@NullMarked
package dev.artel.examples.own;

import org.jspecify.annotations.NullMarked;
