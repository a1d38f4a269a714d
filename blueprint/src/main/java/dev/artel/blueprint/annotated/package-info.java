/// Reads blueprints that are annotated classes: the parameters of their handlers are injected by name.
package dev.artel.blueprint.annotated;
