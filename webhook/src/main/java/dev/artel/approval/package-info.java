/// Who may decide about approvals, and the links that are sent to people.
@NullMarked
package dev.artel.approval;

import org.jspecify.annotations.NullMarked;
