/// The dashboard: HTML, style sheets and ES modules without a build step, and how a server finds them.
@NullMarked
package dev.artel.dashboard;

import org.jspecify.annotations.NullMarked;
