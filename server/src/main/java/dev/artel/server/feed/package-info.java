/// Server-sent events: what happens, told to whoever listens, from any position on.
@NullMarked
package dev.artel.server.feed;

import org.jspecify.annotations.NullMarked;
