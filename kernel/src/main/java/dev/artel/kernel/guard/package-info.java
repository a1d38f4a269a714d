/// Guards, which keep a job from going on forever.
package dev.artel.kernel.guard;
