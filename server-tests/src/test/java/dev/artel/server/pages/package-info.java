@NullMarked
package dev.artel.server.pages;

import org.jspecify.annotations.NullMarked;
