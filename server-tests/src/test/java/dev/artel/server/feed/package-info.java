@NullMarked
package dev.artel.server.feed;

import org.jspecify.annotations.NullMarked;
