@NullMarked
package dev.artel.dashboard;

import org.jspecify.annotations.NullMarked;
