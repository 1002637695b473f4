{{- /* webhook.yaml */ -}}
{{- define "shipshape.settings.webhook" -}}
{{- $guards := list -}}
{{- range .Values.guard.presets -}}
{{- $guard := dict "preset" . -}}
{{- if and (eq . "nodeconfig") $.Values.guard.rolloutServiceAccount }}{{ $_ := set $guard "rolloutServiceAccount" $.Values.guard.rolloutServiceAccount }}{{ end -}}
{{- if and (ne . "nodeconfig") $.Values.guard.nodes }}{{ $_ := set $guard "guardNodes" true }}{{ end -}}
{{- $guards = append $guards $guard -}}
{{- end -}}
{{- $stamp := list -}}
{{- range .Values.guard.stamp }}{{ $stamp = append $stamp (printf "%s.%s" .plural .group | trimSuffix ".") }}{{ end -}}
{{- $name := include "shipshape.fullname" . -}}
{{- $certificates := dict "validating" $name "mutating" $name -}}
{{- if eq .Values.certificates.source "self-managed" -}}
{{- $certificates = merge $certificates (dict "source" "self-managed" "secret" (include "shipshape.certificates.secret" .) "service" (printf "%s-webhook" $name)) -}}
{{- else -}}
{{- $certificates = merge $certificates (dict "source" "files" "folder" "/var/run/shipshape/certificates") -}}
{{- end -}}
{{- $settings := dict
  "apiVersion" "shipshape.dev/v1"
  "listen" (dict "port" 8443)
  "management" (dict "port" 8080)
  "scope" .Values.guard.scope
  "exempt" .Values.guard.exempt
  "staleness" .Values.guard.staleness
  "drain" (printf "%vs" .Values.guard.drainSeconds)
  "drainConnections" (printf "%vs" .Values.guard.drainConnectionsSeconds)
  "stamp" $stamp
  "events" .Values.guard.events
  "guards" (concat $guards .Values.guard.custom)
  "certificates" (mergeOverwrite $certificates (deepCopy .Values.certificates.settings))
-}}
{{- if .Values.guard.memory.enabled }}{{ $_ := set $settings "memory" .Values.guard.memory }}{{ end -}}
{{- if ne .Values.guard.timeouts.mode "off" }}{{ $_ := set $settings "timeouts" .Values.guard.timeouts }}{{ end -}}
{{- with .Values.clientAuthority }}{{ if .configMap }}{{ $_ := set $settings "clientAuthority" (dict "file" "/var/run/shipshape/client-authority/ca.crt" "names" .names) }}{{ end }}{{ end -}}
{{- $settings = mergeOverwrite $settings (deepCopy .Values.guard.settings) -}}
{{- $_ := set $settings "mode" (ternary "enforce" "audit" .Values.guard.armed) -}}
{{- toYaml $settings -}}
{{- end -}}

{{- /* Where the janitor keeps its records of deletions, unless pruning.settings name a file. */ -}}
{{- define "shipshape.records.folder" -}}/var/run/shipshape/records{{- end -}}

{{- /*
Whether they are kept there: for a volume's sake, `kubectl drain` asks for --delete-emptydir-data, so
only where there is something to record.
*/ -}}
{{- define "shipshape.records.kept" -}}
{{- if and .Values.pruning.armed (not (dig "records" "file" "" .Values.pruning.settings)) }}true{{ end -}}
{{- end -}}

{{- /* janitor.yaml */ -}}
{{- define "shipshape.settings.janitor" -}}
{{- $rest := dict "address" .Values.sessions.rest.address -}}
{{- with .Values.sessions.rest }}
{{- if .authority.configMap }}{{ $_ := set $rest "authorityFile" "/var/run/shipshape/cfs/ca.crt" }}{{ end }}
{{- if .tokenSecret.name }}{{ $_ := set $rest "tokenFile" "/var/run/shipshape/cfs/token" }}{{ end }}
{{- if .clientCredentials.name }}{{ $_ := set $rest "clientCredentials" (dict "tokenEndpoint" .clientCredentials.tokenEndpoint "clientIdFile" "/var/run/shipshape/cfs/client-id" "clientSecretFile" "/var/run/shipshape/cfs/client-secret") }}{{ end }}
{{- end -}}
{{- $records := dict -}}
{{- if include "shipshape.records.kept" . }}{{ $_ := set $records "records" (dict "file" (printf "%s/deletions.jsonl" (include "shipshape.records.folder" .))) }}{{ end -}}
{{- $prune := mergeOverwrite $records (omit .Values.pruning "settings" (ternary "" "blackout" (not (empty .Values.pruning.blackout))) | deepCopy) (deepCopy .Values.pruning.settings) -}}
{{- $_ := set $prune "armed" .Values.pruning.armed -}}
{{- $_ := set $prune "leakedJobs" (mergeOverwrite ($prune.leakedJobs | deepCopy) (dict "armed" .Values.pruning.leakedJobs.armed)) -}}
{{- $restart := mergeOverwrite (omit .Values.restarts "settings" | deepCopy) (deepCopy .Values.restarts.settings) -}}
{{- $_ := set $restart "armed" .Values.restarts.armed -}}
{{- toYaml (dict
  "apiVersion" "shipshape.dev/v1"
  "management" (dict "port" 8081)
  "lease" (dict "namespace" .Release.Namespace)
  "sessions" (dict "namespace" .Values.sessions.namespace "source" .Values.sessions.source "rest" $rest)
  "prune" $prune
  "operator" (mergeOverwrite (omit .Values.operator "settings" (ternary "podLabels" "" (empty .Values.operator.podLabels)) | deepCopy) (deepCopy .Values.operator.settings))
  "restart" $restart
) -}}
{{- end -}}

{{- define "shipshape.settings" -}}
webhook.yaml: |
  {{- include "shipshape.settings.webhook" . | nindent 2 }}
{{- if .Values.janitor.enabled }}
janitor.yaml: |
  {{- include "shipshape.settings.janitor" . | nindent 2 }}
{{- end }}
{{- end -}}
