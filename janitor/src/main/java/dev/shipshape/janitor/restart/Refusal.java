package dev.shipshape.janitor.restart;

/** Why a stuck operator is not restarted; the detail is one line. */
record Refusal(RestartRefusal reason, String detail) {}
