/// What the build refuses, as tests that a module inherits: edges, names, purity.
@NullMarked
package dev.artel.architecture;

import org.jspecify.annotations.NullMarked;
