/// Why a task was placed where it was, and why it was not placed yet.
package dev.artel.kernel.placement;
