/// Files and folders that only the user of the orchestrator may read.
@NullMarked
package dev.artel.files;

import org.jspecify.annotations.NullMarked;
