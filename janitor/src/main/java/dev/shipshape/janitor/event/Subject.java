package dev.shipshape.janitor.event;

/**
 * What an Event is about.
 *
 * @param uid empty where unknown; kubectl then finds the Event by name only
 */
public record Subject(String apiVersion, String kind, String namespace, String name, String uid) {}
