/// What can be done with one picture: read it, scale it, describe it.
@NullMarked
package dev.artel.examples.photos.imaging;

import org.jspecify.annotations.NullMarked;
