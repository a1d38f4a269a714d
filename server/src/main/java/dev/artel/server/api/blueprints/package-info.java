/// The definitions that jobs run by, and the jars that bring them. Jars are for operators alone.
@NullMarked
package dev.artel.server.api.blueprints;

import org.jspecify.annotations.NullMarked;
