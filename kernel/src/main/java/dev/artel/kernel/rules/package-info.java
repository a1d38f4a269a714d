/// The rules of a job: deciders, which make events of commands, and folds, which apply events. Not exported.
package dev.artel.kernel.rules;
