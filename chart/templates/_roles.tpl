{{- /*
A Role or ClusterRole and its binding: root, component, name, account; rules as text; namespace
(absent for a ClusterRole); annotations may be absent.
*/ -}}
{{- define "shipshape.granted" -}}
{{- $kind := ternary "Role" "ClusterRole" (hasKey . "namespace") -}}
{{- $metadata := include "shipshape.metadata" (merge (dict "clusterScoped" (not (hasKey . "namespace"))) .) -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}
metadata:
  {{- $metadata | nindent 2 }}
rules:
  {{- .rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}Binding
metadata:
  {{- $metadata | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ $kind }}
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .root.Release.Namespace | quote }}
{{- end -}}

{{- /* For leader election. RBAC cannot limit `create` to a name. */ -}}
{{- define "shipshape.leaseRights" -}}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [{{ . }}]
  verbs: [get, patch]
{{- end -}}

{{- /*
The namespaces of the janitor that do not exist, as {missing: [...]}; none if Helm does not ask a cluster,
as in "helm template".
*/ -}}
{{- define "shipshape.missing" -}}
{{- $missing := list -}}
{{- if and .Values.janitor.enabled (lookup "v1" "Namespace" "" "kube-system") -}}
{{- $namespaces := list .Values.sessions.namespace -}}
{{- range (include "shipshape.operators" . | fromYaml).operators }}{{ $namespaces = append $namespaces .namespace }}{{ end -}}
{{- range $namespaces | uniq -}}
{{- if and (ne . $.Release.Namespace) (not (lookup "v1" "Namespace" "" .)) }}{{ $missing = append $missing . }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "missing" $missing) -}}
{{- end -}}

{{- /* The operators with defaults filled in, as {operators: [...]}. */ -}}
{{- define "shipshape.operators" -}}
{{- $operators := list -}}
{{- /* The shipped signatures with another remedy than a restart; the user's signatures override them. */ -}}
{{- $remedies := dict "cfs-1.4" "report" -}}
{{- range .Values.signatures }}{{ $_ := set $remedies .name (.remedy | default "restart") }}{{ end -}}
{{- range .Values.operators -}}
{{- $workload := .workload | default dict -}}
{{- $kind := $workload.kind | default "Deployment" -}}
{{- $operators = append $operators (dict
  "name" .name
  "namespace" (.namespace | default (ternary $.Values.sessions.namespace "" (.ownsSessions | default false)))
  "kind" $kind
  "plural" (printf "%ss" (lower $kind))
  "workload" ($workload.name | default .name)
  "signature" .signature
  "armed" (and $.Values.restarts.armed (ternary .armed true (hasKey . "armed")) (ne (get $remedies .signature) "report"))
) -}}
{{- end -}}
{{- toYaml (dict "operators" $operators) -}}
{{- end -}}
