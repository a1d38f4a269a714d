/// What authors of blueprints import: the blueprint itself, and the typed constants that name its tasks, signals and jobs.
package dev.artel.blueprint;
