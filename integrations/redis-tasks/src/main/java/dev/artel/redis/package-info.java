/// Jobs for those who submit tasks through Redis: a value per task, and a channel that announces it.
@org.jspecify.annotations.NullMarked
package dev.artel.redis;
