/// The worker of the photo album: takes tasks from an orchestrator and answers them with pictures.
@NullMarked
package dev.artel.examples.photos;

import org.jspecify.annotations.NullMarked;
