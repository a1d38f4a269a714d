/// Artel in Spring Boot applications: a client, and workers whose handlers are beans.
@NullMarked
package dev.artel.spring;

import org.jspecify.annotations.NullMarked;
