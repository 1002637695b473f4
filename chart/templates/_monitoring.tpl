{{- /*
"yes" to make an object of the Prometheus operator: root, kind, enabled (auto, true, false).
A cluster lists group, version and kinds. `--api-versions` may list group and version only.
*/ -}}
{{- define "shipshape.wanted" -}}
{{- $has := .root.Capabilities.APIVersions -}}
{{- $listed := false -}}
{{- range list "PodMonitor" "ServiceMonitor" "PrometheusRule" "Prometheus" }}{{ if $has.Has (printf "monitoring.coreos.com/v1/%s" .) }}{{ $listed = true }}{{ end }}{{ end -}}
{{- $known := $has.Has (ternary (printf "monitoring.coreos.com/v1/%s" .kind) "monitoring.coreos.com/v1" $listed) -}}
{{- if or (eq (toString .enabled) "true") (and (eq (toString .enabled) "auto") $known) -}}yes{{- end -}}
{{- end -}}

{{- /* A ServiceMonitor replaces a PodMonitor that is enabled by `auto`. */ -}}
{{- define "shipshape.serviceMonitor" -}}
{{- if ne (toString .Values.monitoring.podMonitor.enabled) "true" -}}
{{- include "shipshape.wanted" (dict "root" . "kind" "ServiceMonitor" "enabled" .Values.monitoring.serviceMonitor.enabled) -}}
{{- end -}}
{{- end -}}

{{- define "shipshape.podMonitor" -}}
{{- if not (include "shipshape.serviceMonitor" .) -}}
{{- include "shipshape.wanted" (dict "root" . "kind" "PodMonitor" "enabled" .Values.monitoring.podMonitor.enabled) -}}
{{- end -}}
{{- end -}}

{{- /* The endpoint of a monitor: port, of (the monitor's values). */ -}}
{{- define "shipshape.endpoint" -}}
port: {{ .port }}
path: /metrics
{{- range $field := list "interval" "scrapeTimeout" "relabelings" "metricRelabelings" }}
{{- with get $.of $field }}
{{ dict $field . | toYaml }}
{{- end }}
{{- end }}
{{- end -}}

{{- /*
Restricts a rule to the metrics of this release's namespace: metrics of another release must neither
hide that this one's are missing nor cause the same alert twice. root, rule.
*/ -}}
{{- define "shipshape.ownRule" -}}
{{- $own := printf "${0}{namespace=%q}" .root.Release.Namespace -}}
{{- $expr := regexReplaceAll "shipshape[_:][a-z_:]+" .rule.expr $own | replace "}{" "," -}}
{{- toYaml (merge (dict "expr" $expr) .rule) -}}
{{- end -}}

{{- /* The alerts with the values applied, as {groups: [...]}. */ -}}
{{- define "shipshape.alerts" -}}
{{- $values := .Values.monitoring.rules -}}
{{- $disabled := $values.disabled | default list -}}
{{- $overrides := $values.overrides | default dict -}}
{{- $base := trimSuffix "/" $values.runbookBase -}}
{{- $file := .Files.Get "alerts/shipshape.yaml" | replace "https://shipshape.dev/docs/runbooks" $base | fromYaml -}}
{{- $known := list -}}
{{- $groups := list -}}
{{- range $file.groups -}}
{{- $rules := list -}}
{{- range .rules -}}
{{- $known = append $known .alert -}}
{{- if not (has .alert $disabled) -}}
{{- $rules = append $rules (mergeOverwrite (include "shipshape.ownRule" (dict "root" $ "rule" .) | fromYaml) (get $overrides (.alert | default "") | default dict | deepCopy)) -}}
{{- end -}}
{{- end -}}
{{- if and $rules (get $.Values (trimPrefix "shipshape-" .name)).enabled -}}
{{- $groups = append $groups (set . "rules" $rules) -}}
{{- end -}}
{{- end -}}
{{- range $name, $override := $overrides -}}
{{- if and (hasKey $override "expr") (gt (sub (len $known) (len (without $known $name))) 1) -}}
{{- fail (printf "monitoring.rules.overrides: several rules are called %s, so that one expr does not do for all: disable it, and add rules of your own" $name) -}}
{{- end -}}
{{- end -}}
{{- range concat $disabled (keys $overrides | sortAlpha) -}}
{{- if not (has . $known) -}}
{{- fail (printf "monitoring.rules: there is no alert %q; there are %s" . (compact $known | uniq | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "groups" $groups) -}}
{{- end -}}
