@NullMarked
package dev.artel.backup;

import org.jspecify.annotations.NullMarked;
