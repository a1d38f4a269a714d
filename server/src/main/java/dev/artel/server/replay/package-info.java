/// Checks the code of durable functions against histories of jobs, from outside.
@NullMarked
package dev.artel.server.replay;

import org.jspecify.annotations.NullMarked;
