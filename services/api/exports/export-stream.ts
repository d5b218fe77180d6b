import { Readable } from 'node:stream'
import type { Exhausted } from '@catalog/api/callers/charge.ts'

/** One page of an export, as read from the catalog. `next` is the id after which to continue; null on the last page. */
export type ExportPage = Readonly<{ texts: readonly string[]; next: string | null }>

export type ExportSource = Readonly<{
  /** Reads at most `limit` items after an id. A page before the last one may be short, even empty. */
  read: (after: string | undefined, limit: number) => Promise<ExportPage>
  /** Counts a page after the first one; answers the limit that refuses it. */
  count: () => Promise<Exhausted | undefined>
  /** Items of a page. */
  pageItems: number
  /** End after so many items. */
  itemsMax: number
}>

/** How far an export came. */
export type ExportProgress = Readonly<{
  complete: boolean
  items: number
  /** Where the next export continues; undefined after a complete one. */
  after: string | undefined
  stoppedBy: string | null
  retryAfterSeconds: number | null
}>

/** The texts of an export, page by page. Reads the next page only when it is asked for, and returns how far it came. */
export async function* pagesOf(
  { read, count, pageItems, itemsMax }: ExportSource,
  first: ExportPage,
  after: string | undefined,
): AsyncGenerator<readonly string[], ExportProgress> {
  let page = first
  let at = { items: 0, after }
  for (;;) {
    at = { items: at.items + page.texts.length, after: page.next ?? at.after }
    yield page.texts
    if (page.next === null) {
      return { items: at.items, after: undefined, complete: true, stoppedBy: null, retryAfterSeconds: null }
    }
    const room = itemsMax - at.items
    if (room <= 0) return { ...at, complete: false, stoppedBy: 'limit', retryAfterSeconds: null }
    const exhausted = await count()
    if (exhausted !== undefined) {
      const { code: stoppedBy, retryAfterSeconds } = exhausted
      return { ...at, complete: false, stoppedBy, retryAfterSeconds }
    }
    page = await read(at.after, Math.min(pageItems, room))
  }
}

/** The answer of an export breaks off: a limit is reached, and its format cannot say so. */
export class ExportBroken extends Error {
  override name = 'ExportBroken'
}

/**
 * An export as bytes. Law: it reads a page only when its reader took the one before, within 64 KiB, and none after the
 * reader left. `end` writes the last line and hears how far the export came; `close` is called once, however it ended.
 */
export function exportStream(
  pages: AsyncGenerator<readonly string[], ExportProgress>,
  {
    head,
    row,
    end,
    close,
  }: {
    head: string
    row: (json: string) => string
    /** Throws {@link ExportBroken} to break the answer off. */
    end: (progress: ExportProgress) => Promise<string>
    close: () => void
  },
): Readable {
  async function* chunks(): AsyncGenerator<string> {
    let before = head
    for (;;) {
      const page = await pages.next()
      if (page.done) {
        const text = before + (await end(page.value))
        if (text !== '') yield text
        return
      }
      const text = before + page.value.map(row).join('')
      before = ''
      // An empty text would be the end of the stream.
      if (text !== '') yield text
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: AHEAD_BYTES })
  return stream.once('close', close)
}
/** Backpressure: the database is read no further ahead of a slow reader. */
const AHEAD_BYTES = 64 * 1024
