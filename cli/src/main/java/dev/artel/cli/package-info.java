/// The command line: what people ask and do from a terminal, over the API.
@NullMarked
package dev.artel.cli;

import org.jspecify.annotations.NullMarked;
