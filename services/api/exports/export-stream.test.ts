import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ExportPage, type ExportProgress, exportStream, pagesOf } from './export-stream.ts'

/** Items "0", "1" ... in ascending pages, some of them short, as lists with rare matches read them. */
function catalog(items: number, { short = 0 } = {}) {
  const reads: (string | undefined)[] = []
  return {
    reads,
    async read(after: string | undefined, limit: number): Promise<ExportPage> {
      reads.push(after)
      const start = after === undefined ? 0 : Number(after) + 1
      const end = Math.min(items, start + Math.max(1, limit - short))
      const texts = Array.from({ length: Math.max(0, end - start) }, (_, i) => String(start + i))
      return { texts, next: end < items ? String(end - 1) : null }
    },
  }
}
const unlimited = async () => undefined

async function exported(
  source: Parameters<typeof pagesOf>[0],
  after?: string,
): Promise<{ rows: string[]; end: ExportProgress }> {
  const pages = pagesOf(source, await source.read(after, Math.min(source.pageItems, source.itemsMax)), after)
  const rows: string[] = []
  for (;;) {
    const page = await pages.next()
    if (page.done) return { rows, end: page.value }
    rows.push(...page.value)
  }
}

describe('the pages of an export', () => {
  test('hold every item once, however limits cut it, when each part continues after the one before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          items: fc.nat(60),
          short: fc.nat(3),
          itemsMax: fc.option(fc.integer({ min: 1, max: 30 }), { nil: Number.POSITIVE_INFINITY }),
          pagesPerMinute: fc.integer({ min: 0, max: 5 }),
        }),
        async ({ items, short, itemsMax, pagesPerMinute }) => {
          const { read } = catalog(items, { short })
          const all: string[] = []
          let after: string | undefined
          for (;;) {
            let left = pagesPerMinute
            const count = async () => (left-- > 0 ? undefined : { code: 'rate_limited_minute', retryAfterSeconds: 12 })
            const { rows, end } = await exported({ read, count, pageItems: 7, itemsMax }, after)
            expect(end.items).toBe(rows.length)
            expect(rows.length).toBeLessThanOrEqual(itemsMax)
            all.push(...rows)
            expect(end.complete).toBe(end.stoppedBy === null)
            if (end.complete) break
            expect(end.retryAfterSeconds).toBe(end.stoppedBy === 'limit' ? null : 12)
            after = end.after
          }
          expect(all).toEqual(Array.from({ length: items }, (_, i) => String(i)))
        },
      ),
    )
  })

  test('are counted once for each page after the first', async () => {
    const { read, reads } = catalog(21)
    let counted = 0
    await exported({ read, count: async () => void counted++, pageItems: 7, itemsMax: 1_000 })
    expect([reads.length, counted]).toEqual([3, 2])
  })
})

describe('the stream of an export', () => {
  const wide = (json: string) => json.padEnd(1_000, '.')
  async function open(items: number) {
    const source = { ...catalog(items), count: unlimited, pageItems: 100, itemsMax: Number.POSITIVE_INFINITY }
    let closed = 0
    const stream = exportStream(pagesOf(source, await source.read(undefined, 100), undefined), {
      head: 'head\n',
      row: (json) => `${wide(json)}\n`,
      end: async ({ items }) => `${items}\n`,
      close: () => void closed++,
    })
    return { stream, source, closed: () => closed }
  }

  test('begins with the head, and ends with the last line', async () => {
    const { stream, closed } = await open(250)
    const lines = (await text(stream)).split('\n')
    expect([lines[0], lines.length, lines.at(-2), closed()]).toEqual(['head', 253, '250', 1])
  })

  test('of nothing has its head and last line', async () => {
    const { stream } = await open(0)
    expect(await text(stream)).toBe('head\n0\n')
  })

  test('reads ahead of its reader by 64 KiB alone, and nothing after the reader left', async () => {
    const { stream, source, closed } = await open(100_000)
    stream.once('readable', () => {})
    await once(stream, 'readable')
    // A page takes 100 KB, so that the buffer is full with the first.
    const read = source.reads.length
    expect(read).toBeLessThanOrEqual(2)
    stream.read(1)
    stream.destroy()
    await once(stream, 'close')
    expect([source.reads.length, closed()]).toEqual([read, 1])
  })
})
