/// A catalogue whose articles are jobs of their own, a few of which live at once.
@NullMarked
package dev.artel.examples.catalogue;

import org.jspecify.annotations.NullMarked;
