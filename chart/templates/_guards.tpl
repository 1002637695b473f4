{{- /* The resources of the presets, as in their files (checks/presets.py compares them). */ -}}
{{- define "shipshape.presets" -}}
nodeconfig:
- {guard: nodeconfig, group: network.schiff.telekom.de, version: v1alpha1, plural: nodeconfigs}
schiff-revisions:
- {guard: schiff-revision, group: network.schiff.telekom.de, version: v1alpha1, plural: networkconfigrevisions}
- {guard: schiff-node, group: network.schiff.telekom.de, version: v1alpha1, plural: nodenetworkconfigs, stampOnly: true}
t-caas:
- {guard: t-caas-revision, group: network.t-caas.telekom.com, version: v1alpha1, plural: networkconfigrevisions}
- {guard: t-caas-node, group: network.t-caas.telekom.com, version: v1alpha1, plural: nodenetworkconfigs, stampOnly: true}
t-caas-intent:
- {guard: t-caas-intent, group: network.t-caas.telekom.com, version: v1alpha1, plural: nodenetworkconfigs}
{{- end -}}

{{- /*
"yes" if nodes or the pod network may need objects of this API group to start: the webhook's own pods
would wait for a write that waits for them.
*/ -}}
{{- define "shipshape.comesFirst" -}}
{{- range list
  "acn.azure.com" "amazonaws.com" "antrea.io" "cilium.io" "cluster.x-k8s.io" "cncf.io" "k8s.aws"
  "karpenter.sh" "kubeovn.io" "networking.gke.io" "nmstate.io" "nsx.vmware.com" "openshift.io" "ovn.org"
  "network.schiff.telekom.de" "network.t-caas.telekom.com" "projectcalico.org" "spidernet.io" "tigera.io"
-}}
{{- if hasSuffix (printf ".%s" .) (printf ".%s" $) }}yes{{ end -}}
{{- end -}}
{{- end -}}

{{- /*
All guards, of presets and of the user, as {guards: [...]}: the resources that each guards and stamps,
whether to arm it, and the field that holds the configuration.
*/ -}}
{{- define "shipshape.guards" -}}
{{- $presets := fromYaml (include "shipshape.presets" .) -}}
{{- $guards := list -}}
{{- range .Values.guard.presets -}}
{{- $guards = append $guards (dict "name" . "value" "guard.armed" "armed" $.Values.guard.armed "content" "spec" "resources" (get $presets .)) -}}
{{- end -}}
{{- range $name, $guard := .Values.guard.custom -}}
{{- $resource := .resource -}}
{{- if or (not (contains "." $resource.group)) (hasSuffix ".k8s.io" $resource.group) -}}
{{- fail (printf "guard.custom: %s is of Kubernetes itself (group %q); a guard on it could keep the cluster from starting, so only custom resources can be guarded" $resource.plural $resource.group) -}}
{{- end -}}
{{- $guards = append $guards (dict "name" $name "value" (printf "guard.custom.%s.armed" $name) "armed" (and .armed (not .stampOnly) | default false) "content" .identity.content "resources" (list (dict "guard" $name "group" $resource.group "version" $resource.version "plural" $resource.plural "namespaced" ($resource.namespaced | default false) "stampOnly" (.stampOnly | default false)))) -}}
{{- end -}}
{{- if not $guards -}}
{{- fail "guard.presets and guard.custom are both empty: name what is to be guarded, such as guard.presets={nodeconfig}" -}}
{{- end -}}
{{- $found := dict -}}
{{- range $guard := $guards -}}
{{- range .resources -}}
{{- $owner := printf "%s (%s of %s)" .guard .plural .group -}}
{{- range $what := list (printf "the name %s" .guard) (printf "the resource %s.%s" .plural .group) -}}
{{- with get $found $what -}}
{{- fail (printf "guard.presets and guard.custom: %s and %s both have %s: the webhook would not start" . $owner $what) -}}
{{- end -}}
{{- $_ := set $found $what $owner -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "guards" $guards) -}}
{{- end -}}

{{- /* The values that arm guards, as {armed: [...]}. */ -}}
{{- define "shipshape.armed" -}}
{{- $armed := list -}}
{{- range (fromYaml (include "shipshape.guards" .)).guards }}{{ if .armed }}{{ $armed = append $armed .value }}{{ end }}{{ end -}}
{{- toYaml (dict "armed" ($armed | uniq)) -}}
{{- end -}}

{{- /* All guarded resources, as {guarded: [...]}. */ -}}
{{- define "shipshape.guarded" -}}
{{- $guarded := list -}}
{{- range (fromYaml (include "shipshape.guards" .)).guards }}{{ $guarded = concat $guarded .resources }}{{ end -}}
{{- toYaml (dict "guarded" $guarded) -}}
{{- end -}}

{{- /* "yes" if a guarded resource may be namespaced. */ -}}
{{- define "shipshape.namespaced" -}}
{{- range (fromYaml (include "shipshape.guarded" .)).guarded }}{{ if .namespaced }}yes{{ end }}{{ end -}}
{{- end -}}

{{- /* The rules of a webhook for these resources; stamp-only resources only if it stamps. */ -}}
{{- define "shipshape.rules" -}}
{{- $stamping := .stamping -}}
{{- range .resources }}
{{- if or $stamping (not .stampOnly) }}
- apiGroups: [{{ .group }}]
  apiVersions: [{{ .version }}]
  resources: [{{ .plural }}]
  operations: [CREATE, UPDATE]
  scope: "*"
{{- end }}
{{- end }}
{{- end -}}

{{- /* Rights on the guarded resources, a rule for each API group: root, verbs. */ -}}
{{- define "shipshape.guardedRights" -}}
{{- $verbs := .verbs -}}
{{- $stamping := .stamping -}}
{{- $groups := dict -}}
{{- range (fromYaml (include "shipshape.guarded" .root)).guarded -}}
{{- if or $stamping (not .stampOnly) -}}
{{- $_ := set $groups .group (append (get $groups .group | default list) .plural | uniq) -}}
{{- end -}}
{{- end -}}
{{- range $group, $plurals := $groups }}
- apiGroups: [{{ $group }}]
  resources: [{{ join ", " $plurals }}]
  verbs: {{ toJson $verbs }}
{{- end }}
{{- end -}}

{{- /*
The conditions under which a write may be refused: root, content. A write that leaves the configuration as it is,
such as one of labels or finalizers, is never refused, so it does not wait for a replica either.
The mutating webhook fails no write and has none of them, so that no hash becomes outdated.
*/ -}}
{{- define "shipshape.matchConditions" -}}
- name: changes-the-configuration
  expression: {{ printf "oldObject == null || object[?%q] != oldObject[?%q]" .content .content | quote }}
{{- include "shipshape.recoveryConditions" .root }}
{{- with .root.Values.guard.matchConditions }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* Writes of guard.recovery are not refused. */ -}}
{{- define "shipshape.recoveryConditions" -}}
{{- with .Values.guard.recovery.users }}
- name: no-recovery-user
  expression: {{ printf "!(request.userInfo.username in %s)" (toJson .) | quote }}
{{- end }}
{{- with .Values.guard.recovery.groups }}
- name: no-recovery-group
  expression: {{ printf "!has(request.userInfo.groups) || !request.userInfo.groups.exists(group, group in %s)" (toJson .) | quote }}
{{- end }}
{{- end -}}

{{- /* Whether the writer requests an override and has the verb; the API server evaluates this. */ -}}
{{- define "shipshape.override" -}}
has(object.metadata.annotations) && 'shipshape.dev/allow-known-invalid' in object.metadata.annotations && authorizer.group('shipshape.dev').resource(request.resource.resource).check('override').allowed()
{{- end -}}

{{- /* Common fields of all webhooks: root, path, failurePolicy. */ -}}
{{- define "shipshape.webhookEntry" -}}
admissionReviewVersions: [v1]
sideEffects: None
matchPolicy: Equivalent
failurePolicy: {{ .failurePolicy }}
timeoutSeconds: {{ .root.Values.guard.timeoutSeconds }}
clientConfig:
  {{- if and (eq .path "/mutate") (eq .root.Values.certificates.source "existing-secret") }}
  caBundle: {{ .root.Values.certificates.caBundle | b64enc }}
  {{- end }}
  service:
    name: {{ include "shipshape.fullname" .root }}-webhook
    namespace: {{ .root.Release.Namespace | quote }}
    port: 443
    path: {{ .path }}
{{ include "shipshape.selectors" . }}
{{- end -}}

{{- /* Selects the objects that are sent to the webhook: root, path. */ -}}
{{- define "shipshape.selectors" -}}
namespaceSelector:
  matchExpressions:
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values: {{ concat (list "kube-system" .root.Release.Namespace) (.root.Values.guard.excludedNamespaces | default list) | uniq | toJson }}
objectSelector: {{ ternary dict (.root.Values.guard.objectSelector | default dict) (eq (.path | default "") "/proof") | toJson }}
{{- end -}}

{{- /* Replicas with another source do not write the caBundle. */ -}}
{{- define "shipshape.webhookAnnotations" -}}
{{- with .Values.guard.configurationAnnotations }}
{{- toYaml . }}
{{ end -}}
shipshape.dev/certificates-source: {{ .Values.certificates.source }}
{{- if eq .Values.certificates.source "cert-manager" }}
cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "shipshape.fullname" . }}-webhook
{{- end -}}
{{- end -}}
