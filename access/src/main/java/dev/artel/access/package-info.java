/// Who may do what, and how much of it: clients and workers, their tokens, roles, rates and quotas.
@NullMarked
package dev.artel.access;

import org.jspecify.annotations.NullMarked;
