/// What a task is: its specification, its limits, and how it can end.
package dev.artel.kernel.task;
