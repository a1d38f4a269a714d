/// Budgets of jobs, and the ledger that a job keeps of what it has spent.
package dev.artel.kernel.budget;
