/// The job of the photo album: what is done to a folder of photographs, in which order.
@NullMarked
package dev.artel.examples.photos.job;

import org.jspecify.annotations.NullMarked;
