import type { Mutant } from './mutant.ts'

const RUN = 'services/aggregator/run.ts'
const AS_OF = 'libs/store/vendor/as-of-queries.ts'
const VOTE = 'libs/core/median/vote.ts'
const FEEDS = 'libs/store/catalog/feeds.ts'

/** Faults between the tables, the aggregator, feeds and mirrors. */
export const PUBLICATION_MUTANTS: readonly Mutant[] = [
  {
    name: 'takes a released lease again',
    breaks: 'a leader that wakes after its successor had finished goes on with its old run',
    seed: 41,
    edits: [
      {
        file: 'libs/store/lease.ts',
        before: 'if (await renewLease(store, lease)) return',
        after: 'if (await acquireLease(store, lease)) return',
      },
    ],
  },
  {
    name: 'one instant is published by everybody',
    breaks: 'of several processes each runs',
    seed: 1,
    edits: [
      {
        file: RUN,
        before: 'if (once && (await hasRunAt(deps.store, asOf))) return reports',
        after: 'if (once && asOf === "") return reports',
      },
    ],
  },
  {
    name: 'positions without their SKUs',
    breaks: 'a run leaves out what was appended while it began',
    seed: 86,
    edits: [{ file: RUN, before: 'must have an item.\n    await deps.catchUp()\n', after: 'must have an item.\n' }],
  },
  {
    name: 'a version is given twice',
    breaks: 'a new state has the version of the old one',
    seed: 2,
    edits: [{ file: RUN, before: 'same ? prior.version : prior.version + 1', after: 'prior.version' }],
  },
  {
    name: 'goods that are gone stay',
    breaks: 'an item without an observation stays active',
    seed: 4,
    edits: [
      {
        file: 'services/aggregator/evaluate.ts',
        before: "repriced.vendorCount > 0 ? 'active' : 'gone'",
        after: "members.skuIds.length > 0 ? 'active' : 'gone'",
      },
    ],
  },
  {
    name: 'expired votes vote on',
    breaks: 'an incremental run forgets the votes that expired since the last one',
    seed: 2,
    edits: [
      {
        file: 'libs/store/vendor/runs.ts',
        before: 'union select sku from appeared union select sku from expired',
        after: 'union select sku from appeared',
      },
    ],
  },
  {
    name: 'what becomes visible is forgotten',
    breaks: 'a price that is dated after one run does not vote in the next',
    seed: 32,
    edits: [
      {
        file: 'libs/store/vendor/runs.ts',
        before: 'select sku from delivered union select sku from appeared union',
        after: 'select sku from delivered union',
      },
    ],
  },
  {
    name: 'the window has no end',
    breaks: 'a price votes after its validity',
    seed: 2,
    edits: [
      { file: VOTE, before: 'let latestMs = expiredMs', after: 'let latestMs = Number.NEGATIVE_INFINITY' },
      {
        file: 'libs/core/median/sku-prices.ts',
        before: 'if (observation.observedAtMs <= expiredMs)',
        after: 'if (false)',
      },
    ],
  },
  {
    name: 'retractions are not read',
    breaks: 'a price that was taken back votes on',
    seed: 3,
    edits: [
      {
        file: AS_OF,
        before: 'if (!found?.any) return { asOf, hidden: []',
        after: 'if (found !== undefined) return { asOf, hidden: []',
      },
    ],
  },
  {
    name: 'trust of any time',
    breaks: 'a change of trust counts before it was decided',
    seed: 35,
    edits: [
      {
        file: AS_OF,
        before: "where type = 'TrustChanged' and subject = s.source_id and decided_at <= $1",
        after: "where type = 'TrustChanged' and subject = s.source_id and $1::timestamptz is not null",
      },
    ],
  },
  {
    name: 'the first judgement holds',
    breaks: 'a quarantine or release does not replace the one before',
    seed: 10,
    edits: [
      {
        file: AS_OF,
        before:
          '\'ObservationReleased\') and decided_at <= $1\n       and ($2::bigint is null or "offset" < $2)\n     order by subject, decided_at desc, "offset" desc`',
        after:
          '\'ObservationReleased\') and decided_at <= $1\n       and ($2::bigint is null or "offset" < $2)\n     order by subject, decided_at, "offset"`',
      },
    ],
  },
  {
    name: 'the feed repeats the last number',
    breaks: 'a reader gets what it has',
    seed: 5,
    edits: [
      { file: FEEDS, before: 'where s.scope = $1 and s.rseq > $2', after: 'where s.scope = $1 and s.rseq >= $2' },
    ],
  },
  {
    name: 'the feed shows the present state',
    breaks: 'a change carries a later state than its hash',
    seed: 2,
    edits: [
      {
        file: FEEDS,
        before: "case when s.op = 'upsert' then c.state end as state",
        after:
          "case when s.op = 'upsert' then (select i.public_state from items i where i.item_id = c.item_id) end as state",
      },
    ],
  },
  {
    name: 'the mirror keeps tombstones',
    breaks: 'a mirror has items that are gone',
    seed: 4,
    edits: [
      {
        file: 'services/mirror/copy-tables.ts',
        before: 'if (state === null) remove.run(itemId)\n',
        after: 'if (state === null) continue\n',
      },
    ],
  },
  {
    name: 'the mirror moves first',
    breaks: 'a mirror stands behind changes that it did not apply',
    seed: 1,
    edits: [
      {
        file: 'services/mirror/copy.ts',
        before: '        tables.items.apply(changes)\n',
        after: '        tables.items.apply(changes.slice(1))\n',
      },
    ],
  },
]
