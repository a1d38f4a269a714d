/// The programs beside the JDK that tests use where they are.
package dev.artel.testkit.service;
