import { randomUUID } from 'node:crypto'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, answerOf, startCatalog } from '@catalog/stack/servers/command.ts'
import { emptyDatabase, sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { type ReceivedSpan, startTraceReceiver } from '@catalog/stack/testing/tracing.ts'
import { describe, expect, test } from 'vitest'

const missing = unavailable('postgres') ?? unavailable('kafka')
const WITHIN_MS = 60_000

describe.skipIf(missing !== null)('traces of a distributed catalog', () => {
  test('begin in every process, and lead from a crawl and a run through Kafka to their projection', async () => {
    await using receiver = await startTraceReceiver()
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-traces-'))
    const env = {
      DATABASE_URL: await emptyDatabase(),
      KAFKA_BROKERS: await sharedServer('kafka'),
      KAFKA_TOPIC_PREFIX: `${randomUUID()}.`,
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      // The default of five seconds, for a test that waits.
      OTEL_BSP_SCHEDULE_DELAY: '200',
    }
    const options = { data: folder.path, env }
    const list = join(folder.path, 'prices.csv')
    writeFileSync(list, 'ref,name,unit,price\nC25,Portland cement CEM II 42.5 R,25 kg,4.85\n')
    await using projector = startCatalog(['project'], options)
    const source = ['--source', 'Northern Materials', '--region', 'ES', '--currency', 'EUR']
    await answerOf(['crawl', list, ...source, '--observed-at', '2026-11-20'], options)
    await answerOf(['aggregate'], options)

    await using server = startCatalog(['serve', '--port', '0', '--json'], options)
    expect((await fetch(`${await addressOf(server)}/sources`)).status).toBe(200)

    const named = (name: string, service?: string) =>
      receiver.spans.filter((span) => span.name === name && (service === undefined || span.service === service))
    /** The spans above one, from the nearest. */
    const above = (span: ReceivedSpan): string[] => {
      const parent = receiver.spans.find(({ spanId }) => spanId === span.parentSpanId)
      return parent === undefined ? [] : [`${parent.service} ${parent.name}`, ...above(parent)]
    }
    const projected = (topic: string) => named(`project ${topic}`, 'catalog-project').map(above)
    await expect
      .poll(() => projected('vendor.observations'), { timeout: WITHIN_MS })
      .toContainEqual(['catalog-crawl append vendor.observations', 'catalog-crawl crawl'])
    await expect
      .poll(() => projected('catalog.items'), { timeout: WITHIN_MS })
      .toContainEqual(['catalog-aggregate append catalog.items', 'catalog-aggregate aggregate'])
    await expect.poll(() => named('GET /v1/sources', 'catalog-serve').length, { timeout: WITHIN_MS }).toBe(1)
    for (const [component, process] of [
      ['project', projector],
      ['serve', server],
    ] as const) {
      expect(process.kill('SIGTERM')).toBe(true)
      const { code, stderr } = await process.finished
      expect(code).toBe(0)
      // Every line is one JSON object that names its part and process.
      const lines = stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      for (const { component, pid } of lines) expect([typeof component, pid]).toEqual(['string', lines[0].pid])
      expect([lines[0].msg, lines.at(-1).msg]).toEqual([`${component} begins`, `${component} ends`])
    }
    const started = named('start').map(({ service }) => service)
    expect(started.sort()).toEqual(['catalog-aggregate', 'catalog-crawl', 'catalog-project', 'catalog-serve'])
    expect(receiver.spans.filter(({ isFailed }) => isFailed)).toEqual([])
  })
})
