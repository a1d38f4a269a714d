/// `artel run`: one card from its file to its result, with an orchestrator of its own.
@NullMarked
package dev.artel.server.run;

import org.jspecify.annotations.NullMarked;
