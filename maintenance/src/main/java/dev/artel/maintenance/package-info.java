/// What a person does with a data folder from outside: backups, restoring them, and a look at everything that often is
/// wrong.
@NullMarked
package dev.artel.maintenance;

import org.jspecify.annotations.NullMarked;
