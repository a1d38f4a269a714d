/// Workers in Python that know nothing of Artel's own code.
@NullMarked
package dev.artel.e2e.python;

import org.jspecify.annotations.NullMarked;
