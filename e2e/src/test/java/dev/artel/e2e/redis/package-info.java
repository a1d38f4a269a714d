/// Tasks that are submitted through a real Redis.
@NullMarked
package dev.artel.e2e.redis;

import org.jspecify.annotations.NullMarked;
