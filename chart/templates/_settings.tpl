{{- /* webhook.yaml */ -}}
{{- define "shipshape.settings.webhook" -}}
{{- $guards := list -}}
{{- range .Values.guard.presets -}}
{{- $guard := dict "preset" . -}}
{{- if and (eq . "nodeconfig") $.Values.guard.rolloutServiceAccount }}{{ $_ := set $guard "rolloutServiceAccount" $.Values.guard.rolloutServiceAccount }}{{ end -}}
{{- if and (eq . "nodeconfig") $.Values.guard.recordWriters }}{{ $_ := set $guard "ownerlessRecords" true }}{{ end -}}
{{- $guards = append $guards $guard -}}
{{- end -}}
{{- /* `armed` is not a setting: the API server has it, so arming restarts no pod. */ -}}
{{- range $name, $guard := .Values.guard.custom -}}
{{- $guard = set (omit . "armed") "name" $name -}}
{{- with .records }}{{ if .writers }}{{ $_ := set $guard "records" (set (omit . "writers") "ownerless" true) }}{{ end }}{{ end -}}
{{- $guards = append $guards $guard -}}
{{- end -}}
{{- $stamp := list -}}
{{- range .Values.guard.stamp }}{{ $stamp = append $stamp (dict "resource" (printf "%s.%s" .plural .group | trimSuffix ".") "status" (default false .status)) }}{{ end -}}
{{- $name := include "shipshape.fullname" . -}}
{{- $certificates := dict "configurations" $name -}}
{{- if eq .Values.certificates.source "self-managed" -}}
{{- $certificates = merge $certificates (dict "source" "self-managed" "secret" (include "shipshape.certificates.secret" .) "service" (printf "%s-webhook" $name)) -}}
{{- else -}}
{{- $certificates = merge $certificates (dict "source" "files" "folder" "/var/run/shipshape/certificates") -}}
{{- end -}}
{{- $settings := dict
  "apiVersion" "shipshape.dev/v1"
  "listen" (dict "port" .Values.webhook.ports.https)
  "management" (dict "port" .Values.webhook.ports.metrics)
  "minimumTls" .Values.webhook.minimumTls
  "scope" .Values.guard.scope
  "staleness" .Values.guard.staleness
  "drain" (printf "%vs" .Values.guard.drainSeconds)
  "drainConnections" (printf "%vs" .Values.guard.drainConnectionsSeconds)
  "stamp" $stamp
  "events" .Values.guard.events
  "dryRunWarnings" .Values.guard.dryRunWarnings
  "logging" .Values.logging
  "knownInvalid" .Values.guard.knownInvalid
  "guards" $guards
  "registration" (dict "configMap" (printf "%s-guard" $name) "service" (printf "%s-webhook" $name))
  "certificates" (mergeOverwrite $certificates (.Values.certificates.settings | default dict | deepCopy))
-}}
{{- with .Values.clientAuthority }}{{ if .configMap }}{{ $_ := set $settings "clientAuthority" (dict "file" "/var/run/shipshape/client-authority/ca.crt") }}{{ end }}{{ end -}}
{{- $settings = mergeOverwrite $settings (.Values.guard.settings | default dict | deepCopy) -}}
{{- toYaml $settings -}}
{{- end -}}

{{- /* janitor.yaml */ -}}
{{- define "shipshape.settings.janitor" -}}
{{- $rest := dict -}}
{{- with .Values.sessions.rest }}
{{- if .address }}{{ $_ := set $rest "address" .address }}{{ end }}
{{- if .insecureToken }}{{ $_ := set $rest "insecureToken" true }}{{ end }}
{{- if .authority.configMap }}{{ $_ := set $rest "authorityFile" "/var/run/shipshape/cfs/ca.crt" }}{{ end }}
{{- if .tokenSecret.name }}{{ $_ := set $rest "tokenFile" "/var/run/shipshape/cfs/token" }}{{ end }}
{{- end -}}
{{- $prune := mergeOverwrite (omit .Values.pruning "settings" "archive" (ternary "" "blackout" (not (empty .Values.pruning.blackout))) (ternary "" "olderThanFailed" (not (empty .Values.pruning.olderThanFailed))) | deepCopy) (.Values.pruning.settings | default dict | deepCopy) -}}
{{- $_ := set $prune "armed" .Values.pruning.armed -}}
{{- with .Values.pruning.archive }}{{ if .volume }}
{{- $_ := set $prune "archive" (dict "folder" "/var/run/shipshape/archive" "maxSize" .maxSize) }}
{{- end }}{{ end -}}
{{- $restart := mergeOverwrite (omit .Values.restarts "settings" | deepCopy) (.Values.restarts.settings | default dict | deepCopy) -}}
{{- $_ := set $restart "armed" .Values.restarts.armed -}}
{{- toYaml (dict
  "apiVersion" "shipshape.dev/v1"
  "management" (dict "port" .Values.janitor.ports.metrics)
  "logging" .Values.logging
  "sessions" (dict "namespace" .Values.sessions.namespace "source" .Values.sessions.source "rest" $rest)
  "prune" $prune
  "signatures" (.Values.signatures | default list)
  "operators" (.Values.operators | default list)
  "restart" $restart
) -}}
{{- end -}}

{{- define "shipshape.settings" -}}
{{- if .Values.webhook.enabled -}}
webhook.yaml: |
  {{- include "shipshape.settings.webhook" . | nindent 2 }}
{{- end }}
{{- if .Values.janitor.enabled }}
janitor.yaml: |
  {{- include "shipshape.settings.janitor" . | nindent 2 }}
{{- end }}
{{- end -}}
