/// Blueprints from jars in a folder.
@NullMarked
package dev.artel.server.jars;

import org.jspecify.annotations.NullMarked;
