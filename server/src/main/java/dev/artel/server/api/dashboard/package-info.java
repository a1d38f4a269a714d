/// What the dashboard asks for: logins, an overview, and the list of all that waits for people.
@NullMarked
package dev.artel.server.api.dashboard;

import org.jspecify.annotations.NullMarked;
