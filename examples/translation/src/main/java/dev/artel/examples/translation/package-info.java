/// A book is translated, and proofread until nobody finds a mistake, but not forever.
@NullMarked
package dev.artel.examples.translation;

import org.jspecify.annotations.NullMarked;
