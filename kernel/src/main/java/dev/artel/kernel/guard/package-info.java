/// Guards, which keep a job from going on for ever.
package dev.artel.kernel.guard;
