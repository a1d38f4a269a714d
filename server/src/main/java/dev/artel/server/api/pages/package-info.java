/// The dashboard of people, as files.
@NullMarked
package dev.artel.server.api.pages;

import org.jspecify.annotations.NullMarked;
