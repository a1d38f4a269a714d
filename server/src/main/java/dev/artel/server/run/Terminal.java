package dev.artel.server.run;

import java.io.BufferedReader;
import java.io.PrintStream;

/// Where the person is.
///
/// @param out for the result
/// @param err for everything else
/// @param answers what the person types; at its end nothing is asked any more
/// @param isInteractive whether there is a person
public record Terminal(
        PrintStream out, PrintStream err, BufferedReader answers, boolean isInteractive) {}
