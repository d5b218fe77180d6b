import type { IncomingHttpHeaders } from 'node:http'

/**
 * The address of the next page, as the headers of an answer give it: rel=next of Link, or the page after the present one where a
 * header counts the pages. Null after the last page, and where no header speaks of pages.
 */
export function nextPageOf(headers: IncomingHttpHeaders, url: URL): string | null {
  const linked = nextLinkOf(headers.link)
  if (linked !== null) return linked
  const total = PAGE_COUNTS.map((name) => Number([headers[name] ?? []].flat()[0])).find((count) => count > 0) ?? 0
  const page = Number(url.searchParams.get('page') ?? 1)
  // WordPress ignores the page beside an offset.
  if (!Number.isInteger(page) || page < 1 || page >= total || url.searchParams.has('offset')) return null
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  return next.href
}
/** The number of pages: WordPress, and what many frameworks send. */
const PAGE_COUNTS = ['x-wp-totalpages', 'x-total-pages']

/** The target of rel=next in a Link header (RFC 8288), as written; null without one. */
export function nextLinkOf(header: string | readonly string[] | undefined): string | null {
  for (const [, target = '', parameters = ''] of [header ?? []].flat().join(', ').matchAll(LINK)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters)
    if ((rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) return target.trim()
  }
  return null
}
/** `<target>; name="value"; name=value`; a comma within quotes separates no links. */
const LINK = /<([^<>]{1,2000})>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g
