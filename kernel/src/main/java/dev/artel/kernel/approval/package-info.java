/// Approvals: questions to people, with choices and approvers.
package dev.artel.kernel.approval;
