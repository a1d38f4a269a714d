/// The threads around the cores: mailboxes, the store writer, the handler runner and the clock.
@NullMarked
package dev.artel.engine.shell;

import org.jspecify.annotations.NullMarked;
