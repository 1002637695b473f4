#!/bin/sh
# The timeline of an audit log with jq: timeline.sh QUERY FILE [RESOURCE NAMESPACE NAME]
set -eu
if [ "$1" = object ]; then
  condition='.objectRef | .resource == $resource and .namespace == $namespace and .name == $name'
else
  condition='.verb | IN("create", "update", "patch", "delete", "deletecollection")'
fi
jq -c '[.requestReceivedTimestamp, .]' "$2" | LC_ALL=C sort | jq -c '.[1]' |
  jq -r --arg resource "${3:-}" --arg namespace "${4:-}" --arg name "${5:-}" "
    select($condition) | [.requestReceivedTimestamp, .user.username, .verb, .responseStatus.code,
      .objectRef.resource, .objectRef.namespace, .objectRef.name, .objectRef.subresource,
      .stageTimestamp, .auditID] | @csv"
