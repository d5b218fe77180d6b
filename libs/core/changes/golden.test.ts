import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DecisionEvent, ItemEvent, parseEvent, VendorEvent } from '@catalog/core/events/events.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { describe, expect, test } from 'vitest'

/**
 * The golden logs: files of `catalog log export` with every event type and version so far. Every later version folds
 * them to the same roots (infra/stack/scenarios/golden.int.test.ts). The files never change. A new event, or a new
 * version of one, needs a new file: a small exported catalog that has it, with its roots in that test.
 */
const FOLDER = join(import.meta.dirname, '../golden')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'))

type Recorded = Readonly<{ topic: Topic; event: { type: string; v: number } }>
const recordsOf = (file: string): Recorded[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const SCHEMAS = { [TOPICS.observations]: VendorEvent, [TOPICS.decisions]: DecisionEvent, [TOPICS.items]: ItemEvent }

describe('the golden logs', () => {
  test.each(FILES)('%s: every event is read', (file) => {
    const records = recordsOf(file)
    expect(records.length).toBeGreaterThan(0)
    for (const { topic, event } of records) expect(parseEvent(topic, event).type).toBe(event.type)
  })

  test('cover every type and version of event: add a file with the missing one', () => {
    const written = new Set(
      FILES.flatMap(recordsOf).map(({ topic, event }) => `${topic} ${event.type} version ${event.v}`),
    )
    const known = Object.entries(SCHEMAS).flatMap(([topic, schema]) =>
      schema.options.flatMap(({ shape }) =>
        [...shape.v.values].map((version) => `${topic} ${shape.type.value} version ${version}`),
      ),
    )
    expect(known.length).toBeGreaterThanOrEqual(19)
    expect(known.filter((event) => !written.has(event))).toEqual([])
  })
})
