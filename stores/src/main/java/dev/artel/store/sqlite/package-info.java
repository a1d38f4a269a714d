/// Remembers jobs in one SQLite file.
@NullMarked
package dev.artel.store.sqlite;

import org.jspecify.annotations.NullMarked;
