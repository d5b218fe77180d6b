{{- define "catalog.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of every object. */}}
{{- define "catalog.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "catalog.selector" . }}
{{- end -}}

{{/* Labels by which all pods of the release are chosen. */}}
{{- define "catalog.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The claim of a process's volume: { root, process, persistence }. */}}
{{- define "catalog.claimName" -}}
{{- .persistence.existingClaim | default (printf "%s-%s" (include "catalog.name" .root) .process) -}}
{{- end -}}

{{/* A PersistentVolumeClaim, unless one exists: { root, process, persistence, keep }. */}}
{{- define "catalog.claim" -}}
{{- if not .persistence.existingClaim -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ include "catalog.claimName" . }}
  labels:
    {{- include "catalog.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .process }}
  {{- if .keep }}
  annotations:
    helm.sh/resource-policy: keep
  {{- end }}
spec:
  accessModes:
    {{- toYaml .persistence.accessModes | nindent 4 }}
  {{- with .persistence.storageClass }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests:
      storage: {{ .persistence.size }}
{{- end }}
{{- end -}}
