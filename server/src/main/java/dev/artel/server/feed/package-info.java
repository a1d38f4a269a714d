/// Server-sent events about jobs and workers, from any position on.
@NullMarked
package dev.artel.server.feed;

import org.jspecify.annotations.NullMarked;
