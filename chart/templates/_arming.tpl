{{- /* Whether the guard may be armed on the cluster that Helm sees. Nothing here where it sees none. */ -}}

{{- /* Where certificates come from, as the webhook configurations note it. */ -}}
{{- define "shipshape.certificates.origin" -}}
{{- $origin := list .Values.certificates.source -}}
{{- if eq .Values.certificates.source "existing-secret" -}}
{{- $origin = append $origin .Values.certificates.existingSecret -}}
{{- else if eq .Values.certificates.source "cert-manager" -}}
{{- $own := dict "name" (printf "%s-authority" (include "shipshape.fullname" .)) -}}
{{- with .Values.certificates.certManager.issuerRef | default $own }}{{ $origin = concat $origin (list (.kind | default "Issuer") .name) }}{{ end -}}
{{- end -}}
{{- join " " $origin -}}
{{- end -}}

{{- /* The authorities of a PEM text, each in one form, as {found: [...]}. */ -}}
{{- define "shipshape.authorities" -}}
{{- $found := list -}}
{{- range regexFindAll "-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----" . -1 -}}
{{- $found = append $found (regexReplaceAll "\\s" . "") -}}
{{- end -}}
{{- dict "found" ($found | uniq | sortAlpha) | toJson -}}
{{- end -}}

{{- /*
Why the cluster is not ready for the guard to be armed. Where it is armed already, only another
caBundle is looked at: an upgrade must be able to mend what is broken then.
*/ -}}
{{- define "shipshape.armedTooSoon" -}}
{{- if and .Values.guard.armed (not .Values.guard.armWithoutProof) (lookup "v1" "Namespace" "" "kube-system") -}}
{{- $name := include "shipshape.fullname" . -}}
{{- $ready := lookup "apps/v1" "Deployment" .Release.Namespace $name | dig "status" "readyReplicas" 0 | int -}}
{{- $webhooks := (lookup "admissionregistration.k8s.io/v1" "ValidatingWebhookConfiguration" "" $name).webhooks -}}
{{- $armed := false -}}
{{- $live := list -}}
{{- range $webhooks -}}
{{- if eq .failurePolicy "Fail" }}{{ $armed = true }}{{ end -}}
{{- $live = append $live (.clientConfig.caBundle | default "" | b64dec) -}}
{{- end -}}
{{- if $armed -}}
{{- if eq .Values.certificates.source "existing-secret" }}{{ include "shipshape.trustLost" (dict "root" . "live" $live) }}{{ end -}}
{{- else if lt $ready 2 -}}
fewer than two replicas of the webhook are ready ({{ $ready }})
{{- else -}}
{{- include "shipshape.unproven" (dict "root" . "live" $live) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The authorities of the certificate that the replicas serve, as far as Helm sees their Secret. */ -}}
{{- define "shipshape.served" -}}
{{- lookup "v1" "Secret" .Release.Namespace (include "shipshape.certificates.secret" .) | dig "data" "ca.crt" "" | b64dec | include "shipshape.authorities" -}}
{{- end -}}

{{- /* Why calls are not seen to work by what the API server will trust: root, live (bundles in PEM). */ -}}
{{- define "shipshape.unproven" -}}
{{- $served := (include "shipshape.served" .root | fromJson).found -}}
{{- $own := eq .root.Values.certificates.source "existing-secret" -}}
{{- $rendered := (include "shipshape.authorities" .root.Values.certificates.caBundle | fromJson).found -}}
{{- $reasons := list -}}
{{- $trusted := list -}}
{{- range .live -}}
{{- $trusted = append $trusted (include "shipshape.authorities" . | fromJson).found -}}
{{- if $own -}}
{{- if ne (toJson $rendered) (last $trusted | toJson) }}{{ $reasons = append $reasons "certificates.caBundle is not what the API server trusts now, by which calls are seen to work" }}{{ end -}}
{{- else if not . -}}
{{- $reasons = append $reasons "the API server does not trust the webhook yet (a caBundle is empty)" -}}
{{- end -}}
{{- end -}}
{{- if not .live -}}
{{- $trusted = list $rendered -}}
{{- if not $own -}}
{{- $reasons = append $reasons "the API server does not trust the webhook yet (there is no webhook configuration)" -}}
{{- else if not $served -}}
{{- $reasons = append $reasons (printf "there is neither a webhook configuration nor a ca.crt in the Secret %s to compare certificates.caBundle with" .root.Values.certificates.existingSecret) -}}
{{- end -}}
{{- end -}}
{{- range $trusts := $trusted -}}
{{- range $served -}}
{{- if not (has . $trusts) }}{{ $reasons = append $reasons (printf "the caBundle lacks an authority of the Secret %s, which the replicas serve by" (include "shipshape.certificates.secret" $.root)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- first (append $reasons "") -}}
{{- end -}}

{{- /* Why the rendered bundle would end a trust that is needed: root, live. */ -}}
{{- define "shipshape.trustLost" -}}
{{- $rendered := (include "shipshape.authorities" .root.Values.certificates.caBundle | fromJson).found -}}
{{- $served := (include "shipshape.served" .root | fromJson).found -}}
{{- $lost := "" -}}
{{- range .live -}}
{{- $trusts := (include "shipshape.authorities" . | fromJson).found -}}
{{- if ne (toJson $rendered) (toJson $trusts) -}}
{{- range $served | default $trusts -}}
{{- if not (has . $rendered) }}{{ $lost = ternary "of the Secret" "that the API server trusts now" (not (empty $served)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $lost }}certificates.caBundle lacks an authority {{ . }}{{ end -}}
{{- end -}}

{{- /*
What the API server trusts changes at once, and last of all; what replicas serve one by one. So a
change of the source waits until the guard is disarmed, and does not come together with that.
*/ -}}
{{- define "shipshape.switchedWhileArmed" -}}
{{- if not .Values.guard.armWithoutProof -}}
{{- $live := lookup "admissionregistration.k8s.io/v1" "ValidatingWebhookConfiguration" "" (include "shipshape.fullname" .) -}}
{{- $before := dig "metadata" "annotations" "shipshape.dev/certificates-source" "" $live -}}
{{- $origin := include "shipshape.certificates.origin" . -}}
{{- /* Earlier versions noted the source alone. */ -}}
{{- $after := ternary $origin .Values.certificates.source (contains " " $before) -}}
{{- $armed := false -}}
{{- range $live.webhooks }}{{ if eq .failurePolicy "Fail" }}{{ $armed = true }}{{ end }}{{ end -}}
{{- if and $before (ne $before $after) (or $armed .Values.guard.armed) -}}
{{- $trouble := "so every write of a guarded resource would fail until all replicas serve the new certificate" -}}
{{- $cure := ternary "disarm it first, by an upgrade with guard.armed=false and the old source, then upgrade to the new source" "upgrade with guard.armed=false to the new source" $armed -}}
{{- $flag := ternary " (with Helm 4 and server-side apply by --force-conflicts, since the caBundle is another's so far)" "" (eq .Values.certificates.source "existing-secret") -}}
the source of certificates changes from {{ $before }} to {{ $origin }}{{ ternary " while the guard is armed" "" $armed }}, {{ $trouble }}: {{ $cure }}{{ $flag }}, and arm the guard again, or set guard.armWithoutProof=true
{{- end -}}
{{- end -}}
{{- end -}}
