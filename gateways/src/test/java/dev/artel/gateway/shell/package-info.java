/// Tests of what all wires share.
@NullMarked
package dev.artel.gateway.shell;

import org.jspecify.annotations.NullMarked;
