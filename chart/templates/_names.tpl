{{- /* Names, labels and the image. */ -}}

{{- define "shipshape.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* Leaves room for "-uninstall-hook" within the 63 characters of a label; a Service has no dots. */ -}}
{{- define "shipshape.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "shipshape.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | replace "." "-" | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* Without nameOverride: a selector is immutable, and that of the Service would find no pods while a changed one is refused. */ -}}
{{- define "shipshape.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "shipshape.ownLabels" -}}
{{ include "shipshape.selectorLabels" . }}
app.kubernetes.io/part-of: shipshape
{{- /* By this the plugin finds a release: tools replace the labels of Kubernetes by their own. */}}
shipshape.dev/release: {{ .root.Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- /* commonLabels cannot replace the labels that selectors and the plugin use. */ -}}
{{- define "shipshape.labels" -}}
{{- mergeOverwrite (.root.Values.commonLabels | default dict | deepCopy) (.labels | default dict) (include "shipshape.ownLabels" . | fromYaml) | toYaml -}}
{{- end -}}

{{- /* metadata of an object: root, component, name; clusterScoped, labels and annotations may be absent. */ -}}
{{- define "shipshape.metadata" -}}
name: {{ .name }}
{{- if not .clusterScoped }}
namespace: {{ .namespace | default .root.Release.Namespace | quote }}
{{- end }}
labels:
  {{- include "shipshape.labels" . | nindent 2 }}
{{- with mergeOverwrite (.root.Values.commonAnnotations | default dict | deepCopy) (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "shipshape.image" -}}
{{- $registry := .Values.global.imageRegistry | default .Values.image.registry -}}
{{- $repository := ternary (printf "%s/%s" $registry .Values.image.repository) .Values.image.repository (not (empty $registry)) -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- /* "yes" if the janitor has a Deployment of its own. */ -}}
{{- define "shipshape.separate" -}}
{{- if and .Values.janitor.enabled (or .Values.janitor.separate (not .Values.webhook.enabled)) -}}yes{{- end -}}
{{- end -}}

{{- /* "yes" if Kubernetes has the feature: root, feature. Without it, the chart omits the field; the webhook requires its features. */ -}}
{{- define "shipshape.has" -}}
{{- $since := dict
  "topologySpreadConstraints.matchLabelKeys" "1.27"
  "podDisruptionBudget.unhealthyPodEvictionPolicy" "1.27"
  "webhooks.matchConditions" "1.29"
  "preStop.sleep" "1.30"
  "ValidatingAdmissionPolicy" "1.30"
-}}
{{- if semverCompare (printf ">=%s-0" (get $since .feature)) .root.Capabilities.KubeVersion.Version -}}yes{{- end -}}
{{- end -}}

{{- define "shipshape.webhook.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "shipshape.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "shipshape.janitor.serviceAccount" -}}
{{- if not (include "shipshape.separate" .) -}}
{{- include "shipshape.webhook.serviceAccount" . -}}
{{- else if .Values.janitor.serviceAccount.create -}}
{{- .Values.janitor.serviceAccount.name | default (printf "%s-janitor" (include "shipshape.fullname" .)) -}}
{{- else -}}
{{- .Values.janitor.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* Each source has its own Secret, so that the webhook never uses a Secret that cert-manager left. */ -}}
{{- define "shipshape.certificates.secret" -}}
{{- if eq .Values.certificates.source "existing-secret" -}}
{{- .Values.certificates.existingSecret -}}
{{- else -}}
{{- include "shipshape.fullname" . }}-webhook-{{ ternary "cert-manager" "certificates" (eq .Values.certificates.source "cert-manager") }}
{{- end -}}
{{- end -}}
