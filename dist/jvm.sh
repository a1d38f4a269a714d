# The flags with which Artel starts Java, as $jvm; for every POSIX shell. For a service that mostly waits: small objects, and
# a heap that grows with what is kept rather than with the machine, and room for what is young: with a third of it collections took a
# tenth of the time under load.
jvm="-XX:+UseCompactObjectHeaders"
case "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-}" in
  *-XX:+Use*GC*) ;; # another collector is wanted
  *)
    # On a large machine with a large heap its pauses would be long.
    [ "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)" -gt 2 ] || jvm="$jvm -XX:+UseSerialGC"
    jvm="$jvm -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40"
    case "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-}" in
      *-Xm[snx]*) ;; # sizes are given, which these may not fit
      *) jvm="$jvm -Xms192m -XX:NewSize=96m" ;;
    esac
    ;;
esac
# A handler that computes for long makes way for all else (its thread gets the lowest priority of the system, as do calls in the
# background, and handshakes of TLS a lower one), and in whatever loop it is, a collection of garbage need not wait for it.
jvm="$jvm -XX:ThreadPriorityPolicy=1 -XX:JavaPriority1_To_OSPriority=19 -XX:JavaPriority8_To_OSPriority=0"
jvm="$jvm -XX:JavaPriority9_To_OSPriority=0 -XX:JavaPriority10_To_OSPriority=0"
jvm="$jvm -XX:+UseCountedLoopSafepoints -XX:LoopStripMiningIter=1000"
# The warning would be that only some may raise priorities, which nobody does.
[ "$(id -u)" -eq 0 ] || jvm="$jvm -XX:-PrintWarnings"
