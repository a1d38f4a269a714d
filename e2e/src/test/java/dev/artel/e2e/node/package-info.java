/// Workers in Node that know nothing of Artel's own code.
@NullMarked
package dev.artel.e2e.node;

import org.jspecify.annotations.NullMarked;
