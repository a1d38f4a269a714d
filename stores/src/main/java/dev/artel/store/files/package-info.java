/// Keeps contents as files.
@NullMarked
package dev.artel.store.files;

import org.jspecify.annotations.NullMarked;
