import { prometheusAvailable, promtool } from '@catalog/stack/servers/prometheus.ts'
import { expect, test } from 'vitest'
import { ALERTS, FOLDER } from './queries.ts'

const missing = prometheusAvailable()
if (missing !== null) process.stderr.write(`skipped: the evaluation of alerts: ${missing}\n`)

test.skipIf(missing !== null)('alerts are rules that Prometheus accepts, and do what their tests say', () => {
  expect(promtool(['check', 'rules', 'alerts.yaml'], FOLDER)).toContain(`${ALERTS.length} rules found`)
  expect(promtool(['test', 'rules', 'alerts.test.yaml'], FOLDER)).toContain('SUCCESS')
})
