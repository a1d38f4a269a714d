/// What clients may ask over HTTP.
@NullMarked
package dev.artel.server.api;

import org.jspecify.annotations.NullMarked;
