/// Who may connect as which worker, and how often it may send: for all wires.
@NullMarked
package dev.artel.gateway.access;

import org.jspecify.annotations.NullMarked;
