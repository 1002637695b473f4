package dev.shipshape.janitor.restart;

/** Why a stuck operator is not restarted, and that in one line. */
record Refused(RestartRefusal reason, String detail) {}
