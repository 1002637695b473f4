{{- /* Fields of all pods: root, and own, the values of the component, which take precedence. */ -}}
{{- define "shipshape.pod" -}}
{{- $own := .own | default dict -}}
{{- $pullSecrets := list }}
{{- range concat (.root.Values.global.imagePullSecrets | default list) (.root.Values.imagePullSecrets | default list) }}
{{- $pullSecrets = append $pullSecrets (ternary (dict "name" .) . (kindIs "string" .)) }}
{{- end }}
{{- with uniq $pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- range $field := list "runtimeClassName" "dnsConfig" "hostAliases" }}
{{- with get $.root.Values $field }}
{{ dict $field . | toYaml }}
{{- end }}
{{- end }}
{{- with $own.initContainers }}
initContainers:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.priorityClassName | default .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $own.nodeSelector | default .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations | default .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity | default .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "shipshape.podMetadata" -}}
{{- $own := merge (dict "app.kubernetes.io/part-of" "shipshape" "shipshape.dev/release" .root.Release.Name) (include "shipshape.selectorLabels" . | fromYaml) }}
labels:
  {{- mergeOverwrite (.root.Values.commonLabels | default dict | deepCopy) (.root.Values.podLabels | default dict) ((get .root.Values .component).podLabels | default dict) $own | toYaml | nindent 2 }}
annotations:
  {{- $settings := ternary (printf "shipshape.settings.%s" .component) "shipshape.settings" (eq (include "shipshape.separate" .root) "yes") }}
  {{- $checked := dict "checksum/settings" (include $settings .root | sha256sum) }}
  {{- mergeOverwrite (dict "kubectl.kubernetes.io/default-container" .component) (.root.Values.podAnnotations | default dict | deepCopy) ((get .root.Values .component).podAnnotations | default dict) $checked | toYaml | nindent 2 }}
{{- end -}}

{{- /* Of a hook's pod, which a service mesh's sidecar would keep from ending. */ -}}
{{- define "shipshape.hook.labels" -}}
{{- mergeOverwrite (dict "sidecar.istio.io/inject" "false") (.Values.commonLabels | default dict) (.Values.podLabels | default dict) | toYaml -}}
{{- end -}}

{{- define "shipshape.hook.annotations" -}}
{{- mergeOverwrite (dict "linkerd.io/inject" "disabled") (.Values.podAnnotations | default dict) | toYaml -}}
{{- end -}}

{{- define "shipshape.container" -}}
image: {{ include "shipshape.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
terminationMessagePolicy: FallbackToLogsOnError
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
{{- end -}}

{{- define "shipshape.env" -}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: POD_NAMESPACE
  valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
{{- end -}}

{{- define "shipshape.container.webhook" -}}
name: webhook
{{ include "shipshape.container" . }}
args: {{ concat (list "webhook" "--settings" "/etc/shipshape/webhook.yaml") (.Values.webhook.extraArgs | default list) | toJson }}
env:
  {{- include "shipshape.env" . | nindent 2 }}
  {{- /* Without a limit, the JVM would use its share of the node's memory. */}}
  {{- with .Values.webhook.heap | default (ternary "" "96m" (hasKey ((.Values.webhook.resources | default dict).limits | default dict) "memory")) }}
  - {name: JDK_JAVA_OPTIONS, value: {{ printf "-Xmx%s" . | quote }}}
  {{- end }}
  {{- with .Values.webhook.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .Values.webhook.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - {name: https, containerPort: {{ .Values.webhook.ports.https }}, protocol: TCP}
  - {name: metrics, containerPort: {{ .Values.webhook.ports.metrics }}, protocol: TCP}
startupProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 1
  timeoutSeconds: 1
  failureThreshold: 180
readinessProbe:
  httpGet: {path: /readyz, port: metrics}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
livenessProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- /* Older Kubernetes has no sleep hook; only draining delays the stop. */}}
{{- if include "shipshape.has" (dict "root" . "feature" "preStop.sleep") }}
lifecycle:
  preStop:
    sleep:
      seconds: {{ .Values.preStopSleepSeconds }}
{{- end }}
resources:
  {{- toYaml .Values.webhook.resources | nindent 2 }}
volumeMounts:
  - {name: settings, mountPath: /etc/shipshape, readOnly: true}
  {{- if ne .Values.certificates.source "self-managed" }}
  - {name: certificates, mountPath: /var/run/shipshape/certificates, readOnly: true}
  {{- end }}
  {{- if .Values.clientAuthority.configMap }}
  - {name: client-authority, mountPath: /var/run/shipshape/client-authority, readOnly: true}
  {{- end }}
  {{- with .Values.webhook.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- /* No probe beside the webhook: a failed probe would make the webhook's pod unready. */ -}}
{{- define "shipshape.container.janitor" -}}
name: janitor
{{ include "shipshape.container" . }}
# By default, the image starts with the webhook's JVM options.
command:
  - /opt/shipshape/bin/java
  - -XX:AOTCache=/opt/shipshape/lib/janitor.aot
  - "@/opt/shipshape/options/common"
  - "@/opt/shipshape/options/janitor"
  - --enable-native-access=ALL-UNNAMED
  - -cp
  - /opt/shipshape/lib/shipshape.jar
  - dev.shipshape.plugin.command.Shipshape
args: {{ concat (list "janitor" "--settings" "/etc/shipshape/janitor.yaml") (.Values.janitor.extraArgs | default list) | toJson }}
env:
  {{- include "shipshape.env" . | nindent 2 }}
  {{- with .Values.janitor.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .Values.janitor.envFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - {name: janitor-metrics, containerPort: {{ .Values.janitor.ports.metrics }}, protocol: TCP}
{{- if include "shipshape.separate" . }}
startupProbe:
  httpGet: {path: /healthz, port: janitor-metrics}
  periodSeconds: 2
  timeoutSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: janitor-metrics}
  periodSeconds: 30
  timeoutSeconds: 5
  failureThreshold: 4
{{- end }}
resources:
  {{- toYaml .Values.janitor.resources | nindent 2 }}
volumeMounts:
  - {name: settings, mountPath: /etc/shipshape, readOnly: true}
  {{- if include "shipshape.cfs.sources" . }}
  - {name: cfs, mountPath: /var/run/shipshape/cfs, readOnly: true}
  {{- end }}
  {{- if .Values.pruning.archive.volume }}
  - {name: session-archive, mountPath: /var/run/shipshape/archive}
  {{- end }}
  {{- with .Values.janitor.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- /*
Token and authority for the CFS service, under the names in janitor.yaml. All optional: a missing one
must not keep the webhook in the same pod from starting.
*/ -}}
{{- define "shipshape.cfs.sources" -}}
{{- with .Values.sessions.rest.tokenSecret }}{{ if .name }}
- secret:
    name: {{ .name }}
    optional: true
    items: [{key: {{ .key }}, path: token}]
{{- end }}{{ end }}
{{- with .Values.sessions.rest.authority }}{{ if .configMap }}
- configMap:
    name: {{ .configMap }}
    optional: true
    items: [{key: {{ .key }}, path: ca.crt}]
{{- end }}{{ end }}
{{- end -}}

{{- /* root; webhook, janitor: whether the pod has this container. */ -}}
{{- define "shipshape.volumes" -}}
- name: settings
  configMap:
    name: {{ include "shipshape.fullname" .root }}-settings
{{- if and .webhook (ne .root.Values.certificates.source "self-managed") }}
- name: certificates
  secret:
    secretName: {{ include "shipshape.certificates.secret" .root }}
{{- end }}
{{- if and .webhook .root.Values.clientAuthority.configMap }}
- name: client-authority
  configMap:
    name: {{ .root.Values.clientAuthority.configMap }}
    items:
      - {key: {{ .root.Values.clientAuthority.key }}, path: ca.crt}
{{- end }}
{{- with include "shipshape.cfs.sources" .root }}
{{- if $.janitor }}
- name: cfs
  projected:
    sources:
      {{- trim . | nindent 6 }}
{{- end }}
{{- end }}
{{- with and .janitor .root.Values.pruning.archive.volume }}
- name: session-archive
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "shipshape.spread" -}}
{{- with (get .root.Values .component).topologySpreadConstraints | default .root.Values.topologySpreadConstraints -}}
{{ toYaml . }}
{{- else -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- topologyKey: {{ . }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  {{- if include "shipshape.has" (dict "root" $.root "feature" "topologySpreadConstraints.matchLabelKeys") }}
  matchLabelKeys: [pod-template-hash]
  {{- end }}
  labelSelector:
    matchLabels:
      {{- include "shipshape.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}
