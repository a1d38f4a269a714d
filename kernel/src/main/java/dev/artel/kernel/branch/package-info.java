/// Branches of a job: what each waits for, and how branches, tasks and children are joined.
package dev.artel.kernel.branch;
