/// Blueprints as annotated classes: the parameters of their handlers are injected by name.
package dev.artel.kernel.annotated;
