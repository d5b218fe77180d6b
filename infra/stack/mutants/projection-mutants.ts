import type { Mutant } from './mutant.ts'

const PUMP = 'services/projector/pump.ts'
const OBSERVATIONS = 'libs/store/vendor/observations.ts'
const ROW_KEYS = 'libs/store/vendor/row-keys.ts'
const CHANGE = 'libs/core/changes/change.ts'
const ITEMS = 'services/projector/items.ts'

/** Faults between the log and the tables. */
export const PROJECTION_MUTANTS: readonly Mutant[] = [
  {
    name: 'checkpoint without a lock',
    breaks: 'two projectors apply one batch at once',
    seed: 6,
    edits: [
      {
        file: 'libs/store/checkpoints.ts',
        before: 'where projection = $1 and topic = $2 and partition = $3 for update`',
        after: 'where projection = $1 and topic = $2 and partition = $3`',
      },
    ],
  },
  {
    name: 'checkpoint beyond the batch',
    breaks: 'a record is skipped',
    seed: 1,
    edits: [
      { file: PUMP, before: 'next: last.record.offset + 1n, lastSha', after: 'next: last.record.offset + 2n, lastSha' },
    ],
  },
  {
    name: 'checkpoint before the batch ends',
    breaks: 'the last record of a batch is applied for ever',
    seed: 1,
    edits: [
      { file: PUMP, before: 'next: last.record.offset + 1n, lastSha', after: 'next: last.record.offset, lastSha' },
    ],
  },
  {
    name: 'redelivered records are applied again',
    breaks: 'what was applied before is not dropped',
    seed: 3,
    edits: [
      {
        file: PUMP,
        before: 'parsed.filter(({ record }) => record.offset >= next)',
        after: 'parsed.filter(() => true)',
      },
      { file: PUMP, before: 'if (head.record.offset !== next) {', after: 'if (head.record.offset > next) {' },
    ],
  },
  {
    name: 'checkpoint goes back',
    breaks: 'a late redelivery moves the position back, and its records are applied again',
    seed: 14,
    edits: [
      {
        file: PUMP,
        before: 'const todo = parsed.filter(({ record }) => record.offset >= next)',
        after: 'const todo = parsed.filter(({ record }) => record.offset >= next || parsed.length > 2)',
      },
      { file: PUMP, before: 'if (head.record.offset !== next) {', after: 'if (head.record.offset > next) {' },
    ],
  },
  {
    name: 'acknowledged before applied',
    breaks: 'the checkpoint commits before the batch, whose failure then loses it',
    seed: 1,
    edits: [
      {
        file: PUMP,
        before:
          '  const place = { projection: projection.name, topic, partition }\n  return store.transaction(async (tx) => {',
        after:
          '  const place = { projection: projection.name, topic, partition }\n' +
          '  const early = parsed.at(-1) as Parsed\n' +
          '  const { next: from } = await store.transaction((tx) => lockCheckpoint(tx, place))\n' +
          '  if (early.record.offset >= from && parsed[0]?.record.offset === from)\n' +
          '    await moveCheckpoint(store, place, { next: early.record.offset + 1n, lastSha: sha256Hex(early.record.value) })\n' +
          '  return store.transaction(async (tx) => {',
      },
      {
        file: PUMP,
        before: 'const todo = parsed.filter(({ record }) => record.offset >= next)',
        after: 'const todo = parsed.filter(({ record }) => record.offset >= from && next >= 0n)',
      },
      { file: PUMP, before: 'if (head.record.offset !== next) {', after: 'if (head.record.offset !== from) {' },
    ],
  },
  {
    name: 'dead letters outside the batch',
    breaks: 'a record that nobody can read is dropped',
    seed: 2,
    edits: [
      {
        file: PUMP,
        before: '      poison.map(({ record, reason, detail }) => ({',
        after: '      poison.slice(1).map(({ record, reason, detail }) => ({',
      },
    ],
  },
  {
    name: 'a failed batch counts as handled',
    breaks: 'the projector goes on behind a batch whose transaction failed',
    seed: 4,
    edits: [
      {
        file: PUMP,
        before: '      if (!isDeadlock(error) || attempt === DEADLOCKS_MAX) throw error',
        after: '      if (!isDeadlock(error) || attempt === DEADLOCKS_MAX) return 0',
      },
    ],
  },
  {
    name: 'keys of rolled-back rows are remembered',
    breaks: 'observations refer to SKUs that do not exist',
    seed: 7,
    edits: [
      {
        file: ROW_KEYS,
        before: '  if (onFound) for (const [id, key] of keys) onFound(id, key)\n',
        after: '',
      },
      {
        file: ROW_KEYS,
        before: 'of await step(ids)) keys.set(id, key)\n  }\n  return keys',
        after:
          'of await step(ids)) keys.set(id, key)\n  }\n' +
          '  if (onFound) for (const [id, key] of keys) onFound(id, key)\n  return keys',
      },
    ],
  },
  {
    name: 'a second delivery is forgotten',
    breaks: 'a retraction by crawl hides what another crawl also delivered',
    seed: 1,
    edits: [
      {
        file: OBSERVATIONS,
        before: '} else if (!earlier.crawls.has(crawl)) {',
        after: '} else if (earlier.crawls.has(crawl)) {',
      },
    ],
  },
  {
    name: 'the last registration holds',
    breaks: 'the settings of a source depend on the order in which batches are applied',
    seed: 13,
    edits: [
      {
        file: 'libs/store/vendor/decisions.ts',
        before: 'present.registered_offset > excluded.registered_offset',
        after: 'present.registered_offset < excluded.registered_offset',
      },
    ],
  },
  {
    name: 'one SKU moves without its decision',
    breaks: 'a match that was applied is not stored',
    seed: 1,
    edits: [
      {
        file: 'services/projector/vendor.ts',
        before: '.filter(([skuId, itemId]) => before.itemOf.get(skuId) !== itemId)',
        after: '.filter(([skuId, itemId]) => before.itemOf.get(skuId) !== itemId && !before.foundings.has(itemId))',
      },
    ],
  },
  {
    name: 'a number is used twice',
    breaks: 'two changes of one scope have one number',
    seed: 4,
    edits: [
      {
        file: ITEMS,
        before: '    this.#heads = outcome.heads\n',
        after: '    if (outcome.op === "upsert") this.#heads = outcome.heads\n',
      },
    ],
  },
  {
    name: 'a region never hears of a leave',
    breaks: 'an item stays in the feed of a region that it left',
    seed: 33,
    edits: [
      {
        file: CHANGE,
        before: 'new Set([...(old?.regions ?? []), ...regions])',
        after: "new Set([...(op === 'delete' ? (old?.regions ?? []) : []), ...regions])",
      },
    ],
  },
  {
    name: 'a tombstone is lost',
    breaks: 'an item that is gone stays active in the tables',
    seed: 4,
    edits: [
      {
        file: CHANGE,
        before: "event.state.state === 'active' ? 'upsert' : 'delete'",
        after: "event.state.state === 'merged' ? 'delete' : 'upsert'",
      },
    ],
  },
  {
    name: 'the chain forgets the number',
    breaks: 'a mirror cannot prove the order of changes',
    seed: 1,
    edits: [{ file: CHANGE, before: 'number.writeBigUInt64BE(rseq)', after: 'number.writeBigUInt64BE(0n * rseq)' }],
  },
]
