import { fileSource } from '@catalog/crawler/ingest/inputs.ts'
import { formatOfHead, headOf } from '@catalog/formats/bytes/sniff.ts'
import { type Format, formatOfName } from '@catalog/formats/format.ts'
import type { Body, Frontier } from './frontier.ts'
import { HTML_TYPES } from './gather-pages.ts'

/**
 * The format by which a document is read: the given one, except for another document in its place. Such a document is reported,
 * since the crawl is then not complete: a page of HTML where another format was expected or at the end of a redirect to the front
 * page, and JSONP. Null: detect the format from the bytes.
 */
export async function settledFormat(
  body: Body,
  { format, frontier }: Readonly<{ format: Format | undefined; frontier: Frontier }>,
): Promise<Format | null> {
  const { asked, url, file, name, contentType } = body
  const expected = format ?? formatOfName(new URL(asked).pathname)
  const head = await headOf(fileSource({ path: file, name }))
  if (HTML_TYPES.has(contentType ?? '') && formatOfHead(head) === 'html') {
    const isOther = expected !== null && expected !== 'html'
    if (!isOther && !leadsToFront(asked, url)) return format ?? null
    const redirect = url === asked ? '' : `, after a redirect to ${url}`
    frontier.reportIncomplete(
      'PAGE_INSTEAD',
      `${asked}: a page came${redirect}, expected ${expected ?? 'the document'}`,
    )
    return 'html'
  }
  if ((expected === null || expected === 'json') && JSONP.test(head)) {
    const found = 'a script that calls a function with the data (JSONP)'
    frontier.reportIncomplete('NOT_JSON', `${asked}: ${found}, expected JSON; try without the parameter callback`)
    return 'json'
  }
  return format ?? null
}

/** As `jQuery123_456({"products": [` or behind an empty comment, as servers write it against sniffing. */
const JSONP = /^(?:\xef\xbb\xbf)?\s*(?:\/\*\*\/)?\s*(?:typeof [\w$.]+ === 'function' && )?[\w$.]{1,200}\(\s*[[{]/

/** Whether a redirect led from a page further down to the front page: what shops do with what they removed. */
const leadsToFront = (asked: string, url: string) =>
  FRONT.test(new URL(url).pathname) && !FRONT.test(new URL(asked).pathname)
const FRONT = /^\/(?:index\.\w+)?$/
