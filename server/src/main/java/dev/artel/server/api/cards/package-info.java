/// Process cards over HTTP: taking up, listing, validating and planning them. For operators alone.
@NullMarked
package dev.artel.server.api.cards;

import org.jspecify.annotations.NullMarked;
