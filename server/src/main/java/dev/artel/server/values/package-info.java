/// Large values: what becomes of those that no event names any more.
@NullMarked
package dev.artel.server.values;

import org.jspecify.annotations.NullMarked;
