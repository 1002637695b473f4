{{- /* webhook.yaml */ -}}
{{- define "shipshape.settings.webhook" -}}
{{- $guards := list -}}
{{- range .Values.guard.presets -}}
{{- $guard := dict "preset" . -}}
{{- if and (eq . "nodeconfig") $.Values.guard.rolloutServiceAccount }}{{ $_ := set $guard "rolloutServiceAccount" $.Values.guard.rolloutServiceAccount }}{{ end -}}
{{- if and (eq . "nodeconfig") $.Values.guard.recordWriters }}{{ $_ := set $guard "recordWriters" $.Values.guard.recordWriters }}{{ end -}}
{{- $guards = append $guards $guard -}}
{{- end -}}
{{- /* Whether it is armed the API server knows, and nobody is restarted for it. */ -}}
{{- range .Values.guard.custom }}{{ $guards = append $guards (omit . "armed") }}{{ end -}}
{{- $stamp := list -}}
{{- range .Values.guard.stamp }}{{ $stamp = append $stamp (dict "resource" (printf "%s.%s" .plural .group | trimSuffix ".") "status" (default false .status)) }}{{ end -}}
{{- $name := include "shipshape.fullname" . -}}
{{- $certificates := dict "validating" $name "mutating" $name -}}
{{- if eq .Values.certificates.source "self-managed" -}}
{{- $certificates = merge $certificates (dict "source" "self-managed" "secret" (include "shipshape.certificates.secret" .) "service" (printf "%s-webhook" $name)) -}}
{{- else -}}
{{- $certificates = merge $certificates (dict "source" "files" "folder" "/var/run/shipshape/certificates") -}}
{{- end -}}
{{- $settings := dict
  "apiVersion" "shipshape.dev/v1"
  "listen" (dict "port" .Values.webhook.ports.https)
  "management" (dict "port" .Values.webhook.ports.metrics)
  "scope" .Values.guard.scope
  "staleness" .Values.guard.staleness
  "drain" (printf "%vs" .Values.guard.drainSeconds)
  "drainConnections" (printf "%vs" .Values.guard.drainConnectionsSeconds)
  "stamp" $stamp
  "events" .Values.guard.events
  "knownInvalid" .Values.guard.knownInvalid
  "guards" $guards
  "registration" (dict "configMap" (printf "%s-guard" $name) "service" (printf "%s-webhook" $name))
  "certificates" (mergeOverwrite $certificates (.Values.certificates.settings | default dict | deepCopy))
-}}
{{- with .Values.clientAuthority }}{{ if .configMap }}{{ $_ := set $settings "clientAuthority" (dict "file" "/var/run/shipshape/client-authority/ca.crt" "names" .names) }}{{ end }}{{ end -}}
{{- $settings = mergeOverwrite $settings (.Values.guard.settings | default dict | deepCopy) -}}
{{- toYaml $settings -}}
{{- end -}}

{{- /* Where the janitor keeps its records of deletions, unless pruning.settings name a file. */ -}}
{{- define "shipshape.records.folder" -}}/var/run/shipshape/records{{- end -}}

{{- /*
Whether they are kept there: for a volume's sake, `kubectl drain` asks for --delete-emptydir-data, so
only where there is something to record.
*/ -}}
{{- define "shipshape.records.kept" -}}
{{- $records := (.Values.pruning.settings | default dict).records | default dict -}}
{{- if and .Values.pruning.armed (not $records.file) }}true{{ end -}}
{{- end -}}

{{- /* What is said of records there: small enough for the pod's limits unless told otherwise. */ -}}
{{- define "shipshape.records" -}}
{{- $kept := dict "file" (printf "%s/deletions.jsonl" (include "shipshape.records.folder" .)) "keep" 5 "mostKilobytes" 4096 -}}
{{- mergeOverwrite $kept ((.Values.pruning.settings | default dict).records | default dict | deepCopy) | toYaml -}}
{{- end -}}

{{- /*
Why the kubelet would evict the pod, and the records with it: they, and 32 MiB for each container's log
(the kubelet keeps 10 MiB of it, as much of the one before, and older ones packed), exceed its limits.
*/ -}}
{{- define "shipshape.records.evicted" -}}
{{- $containers := list .Values.janitor -}}
{{- if not .Values.janitor.separate }}{{ $containers = append $containers .Values.webhook }}{{ end -}}
{{- $limit := 0 -}}
{{- range $containers }}{{ $limit = include "shipshape.bytes" (get (.resources.limits | default dict) "ephemeral-storage") | int64 | add $limit }}{{ end -}}
{{- $records := include "shipshape.records" . | fromYaml -}}
{{- $needed := add (mul (add (int $records.keep) 1) (int $records.mostKilobytes) 1024) (mul (len $containers) 33554432) -}}
{{- if and $limit (gt $needed $limit) -}}
pruning.settings.records: {{ add (int $records.keep) 1 }} files of mostKilobytes={{ int $records.mostKilobytes }}, and logs, may come to {{ div $needed 1048576 }} MiB and exceed the pod's limit of {{ div $limit 1048576 }} MiB
{{- end -}}
{{- end -}}

{{- /* A quantity in bytes; nothing where there is none, or of a form that nobody writes. */ -}}
{{- define "shipshape.bytes" -}}
{{- if kindIs "string" . -}}
{{- $units := dict "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 -}}
{{- if regexMatch "^[0-9.]+([kMGT]|[KMGT]i)?$" . -}}
{{- mulf (regexFind "^[0-9.]+" .) (get $units (regexFind "[a-zA-Z]+$" .) | default 1.0) | int64 -}}
{{- end -}}
{{- else if . -}}
{{- int64 . -}}
{{- end -}}
{{- end -}}

{{- /* janitor.yaml */ -}}
{{- define "shipshape.settings.janitor" -}}
{{- $rest := dict -}}
{{- with .Values.sessions.rest }}
{{- if .address }}{{ $_ := set $rest "address" .address }}{{ end }}
{{- if .insecureToken }}{{ $_ := set $rest "insecureToken" true }}{{ end }}
{{- if .authority.configMap }}{{ $_ := set $rest "authorityFile" "/var/run/shipshape/cfs/ca.crt" }}{{ end }}
{{- if .tokenSecret.name }}{{ $_ := set $rest "tokenFile" "/var/run/shipshape/cfs/token" }}{{ end }}
{{- if .clientCredentials.name }}{{ $_ := set $rest "clientCredentials" (dict "tokenEndpoint" .clientCredentials.tokenEndpoint "clientIdFile" "/var/run/shipshape/cfs/client-id" "clientSecretFile" "/var/run/shipshape/cfs/client-secret") }}{{ end }}
{{- end -}}
{{- $prune := mergeOverwrite (omit .Values.pruning "settings" "archive" (ternary "" "blackout" (not (empty .Values.pruning.blackout))) | deepCopy) (.Values.pruning.settings | default dict | deepCopy) -}}
{{- $_ := set $prune "armed" .Values.pruning.armed -}}
{{- if include "shipshape.records.kept" . }}{{ $_ := set $prune "records" (include "shipshape.records" . | fromYaml) }}{{ end -}}
{{- with .Values.pruning.archive }}{{ if .volume }}
{{- $_ := set $prune "archive" (dict "folder" "/var/run/shipshape/archive" "mostMebibytes" .mostMebibytes) }}
{{- end }}{{ end -}}
{{- $_ := set $prune "leakedJobs" (mergeOverwrite ($prune.leakedJobs | deepCopy) (dict "armed" .Values.pruning.leakedJobs.armed)) -}}
{{- $restart := mergeOverwrite (omit .Values.restarts "settings" | deepCopy) (.Values.restarts.settings | default dict | deepCopy) -}}
{{- $_ := set $restart "armed" .Values.restarts.armed -}}
{{- toYaml (dict
  "apiVersion" "shipshape.dev/v1"
  "management" (dict "port" .Values.janitor.ports.metrics)
  "lease" (dict "namespace" .Release.Namespace)
  "sessions" (dict "namespace" .Values.sessions.namespace "source" .Values.sessions.source "rest" $rest)
  "prune" $prune
  "operator" (mergeOverwrite (omit .Values.operator "settings" | deepCopy) (.Values.operator.settings | default dict | deepCopy))
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
