/// A journey is booked, agreed to, paid and confirmed, or all of it is compensated.
@NullMarked
package dev.artel.examples.trip;

import org.jspecify.annotations.NullMarked;
