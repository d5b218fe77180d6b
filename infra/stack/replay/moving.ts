import { setTimeout as delay } from 'node:timers/promises'
import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import type { Read } from './readers.ts'

/** States that readers may see while publications go on: those of the feed, and none between two of them. */
export type Witness = Readonly<{
  /** For {@link readWhile}: reports a falling head; keeps other answers for later. */
  judge: (read: Read) => string | null
  /** Errors in the kept answers, judged by the present changes. */
  contradictions: (path: Path) => Promise<readonly string[]>
}>

type Shown = Readonly<{ id: string } & Record<string, JsonValue>>

export function openWitness(): Witness {
  let headSeen = 0
  const kept = new Map<string, { path: string; body: string }>()
  return {
    judge({ place: { path, tool }, answer: { status, body }, beganMs }) {
      if (status === 304 || tool !== undefined) return null
      if (path === '/v1/feeds/state.json') {
        const { head } = (JSON.parse(body) as { scopes: { items: { head: number } } }).scopes.items
        const wrong = head < headSeen && beganMs > 0 ? `head ${head}, after ${headSeen}` : null
        headSeen = Math.max(headSeen, head)
        return wrong
      }
      if (/^\/v1\/items(\?|\/ci_[a-z2-7]+$)/.test(path)) kept.set(`${path} ${body}`, { path, body })
      return null
    },
    async contradictions(path) {
      const spans = await spansOf(path)
      return [...kept.values()].flatMap(({ path, body }) => {
        const answer = JSON.parse(body) as { item?: Shown; items?: Shown[] }
        const wrong = answer.items
          ? contradiction(answer.items, { spans, textOf: whole })
          : contradiction([answer.item as Shown], { spans, textOf: uncounted })
        return wrong === null ? [] : [`${path}: ${wrong}`]
      })
    },
  }
}

const whole = (item: Shown): string => canonicalJson(item)
/** A detail counts the vendors that it shows, which may be newer than the last publication. */
const uncounted = ({ vendor_count: _, observation_count: __, ...item }: Shown): string => canonicalJson(item)

/** For each shown form of an item, the changes between which it looked so. */
type Spans = ReadonlyMap<string, readonly { readonly from: number; readonly until: number }[]>

async function spansOf({ store }: Path): Promise<Spans> {
  const rows = await store.query<{ seq: number; itemId: string; state: string | null; until: number | null }>(
    `select seq::int, item_id as "itemId", state,
       (lead(seq) over (partition by item_id order by seq))::int as until from changes order by seq`,
  )
  const spans = new Map<string, { from: number; until: number }[]>()
  for (const { seq, state, until } of rows) {
    if (state === null) continue
    const { item } = JSON.parse(state) as { item: Shown }
    for (const shown of [whole(item), uncounted(item)]) {
      const known = spans.get(shown) ?? []
      known.push({ from: seq, until: until ?? Number.POSITIVE_INFINITY })
      spans.set(shown, known)
    }
  }
  return spans
}

/** All items of one answer must have looked so at one moment. */
function contradiction(
  items: readonly Shown[],
  { spans, textOf }: { spans: Spans; textOf: (item: Shown) => string },
): string | null {
  let possible = [{ from: 0, until: Number.POSITIVE_INFINITY }]
  for (const item of items) {
    const own = spans.get(textOf(item))
    if (own === undefined) return `${item.id} never looked so: ${JSON.stringify(item)}`
    possible = possible.flatMap((a) =>
      own.flatMap((b) => {
        const both = { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }
        return both.from < both.until ? [both] : []
      }),
    )
    if (possible.length === 0) return `${item.id} was of another moment than the items before it`
  }
  return null
}

/** Repeats the action with a pause in between until the work ends. */
export async function beside<T>(
  work: () => Promise<T>,
  again: (n: number) => Promise<void>,
  pauseMs: number,
): Promise<T> {
  let isDone = false
  const going = (async () => {
    for (let n = 0; !isDone; n++) {
      await again(n)
      await delay(pauseMs)
    }
  })()
  try {
    return await work()
  } finally {
    isDone = true
    await going
  }
}
