/// What the dashboard shows, over HTTP.
@NullMarked
package dev.artel.server.dashboard;

import org.jspecify.annotations.NullMarked;
