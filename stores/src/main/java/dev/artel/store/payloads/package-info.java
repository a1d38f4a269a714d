/// Large values as contents of an object store.
@NullMarked
package dev.artel.store.payloads;

import org.jspecify.annotations.NullMarked;
