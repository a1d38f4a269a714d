/// The versioned JSON form of events and commands.
@NullMarked
package dev.artel.store.codec;

import org.jspecify.annotations.NullMarked;
