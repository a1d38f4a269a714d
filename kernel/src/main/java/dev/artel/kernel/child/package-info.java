/// Children of a job, and the link from a child to its parent.
package dev.artel.kernel.child;
