@NullMarked
package dev.artel.server.api.tasks;

import org.jspecify.annotations.NullMarked;
