import { PageTooDeep, walkPage, webAddress } from '@catalog/formats/pages/page.ts'

/** Links and robot rules of a page. All addresses are absolute, without fragments. */
export type PageLinks = Readonly<{
  /** The page's own address by its `rel=canonical`, on any host; null without one. */
  canonical: string | null
  /** The next page of a list. */
  next: string | null
  /** Linked pages of the same host, in order, each once, without those marked nofollow. */
  hrefs: readonly string[]
  /** `noindex` excludes the page, `nofollow` its links; `none` means both. */
  noindex: boolean
  nofollow: boolean
  /** The page has more than {@link PAGE_LINKS_MAX} links, or nests too deep: `hrefs` is incomplete. */
  isCut: boolean
}>

/** Links kept of one page; category pages have some hundred. */
export const PAGE_LINKS_MAX = 10_000

/**
 * The links of a page fetched from `baseUrl`, which `<base href>` may move. Robot rules come from `meta name=robots`
 * and from `names` (the crawler's own name, in lower case); the crawler adds the X-Robots-Tag header.
 */
export function linksOf(html: string, baseUrl: string, names: readonly string[] = []): PageLinks {
  const rules = new Set<string>()
  const hrefs = new Set<string>()
  const { host } = new URL(baseUrl)
  let base: string | null = null
  let canonical: string | null = null
  let next: string | null = null
  let isCut = false
  try {
    walkPage(html, {
      open(name, attributes) {
        const rel = (attributes.rel ?? '').toLowerCase().split(/\s+/)
        if (name === 'meta' && ['robots', ...names].includes((attributes.name ?? '').trim().toLowerCase())) {
          for (const rule of (attributes.content ?? '').toLowerCase().split(/[\s,]+/)) rules.add(rule)
        }
        if (attributes.href === undefined) return
        if (name === 'base') {
          base ??= webAddress(attributes.href, baseUrl)
          return
        }
        const url = webAddress(attributes.href, base ?? baseUrl)
        if (url === null) return
        if (name === 'link' && rel.includes('canonical')) canonical ??= url
        if ((name === 'link' || name === 'a') && rel.includes('next')) next ??= url
        if ((name !== 'a' && name !== 'area') || rel.includes('nofollow') || new URL(url).host !== host) return
        if (hrefs.size < PAGE_LINKS_MAX) hrefs.add(url)
        else isCut ||= !hrefs.has(url)
      },
    })
  } catch (error) {
    if (!(error instanceof PageTooDeep)) throw error
    isCut = true
  }
  const has = (rule: string) => rules.has(rule) || rules.has('none')
  return { canonical, next, hrefs: [...hrefs], noindex: has('noindex'), nofollow: has('nofollow'), isCut }
}
