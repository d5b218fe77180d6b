import { PageTooDeep, walkPage, webAddress } from './page.ts'

/** What a page says to whoever goes on from it. All addresses are in full, without fragments. */
export type PageLinks = Readonly<{
  /** The page's own address by its `rel=canonical`, on any host; null where it says none. */
  canonical: string | null
  /** The next page of a list. */
  next: string | null
  /** Pages of the same host that it links to, in order, each once, without those marked nofollow. */
  hrefs: readonly string[]
  /** `noindex`: the page asks to be left out; `nofollow`: its links ask not to be followed. `none` is both. */
  noindex: boolean
  nofollow: boolean
  /** Links beyond {@link PAGE_LINKS_MAX}, or nesting too deep to go on: there are more than `hrefs` tells. */
  cut: boolean
}>

/** Links of one page that are told; category pages have some hundred. */
export const PAGE_LINKS_MAX = 10_000

/**
 * The links of a page that was fetched from `baseUrl`, which `<base href>` may move. Rules for robots are those of
 * `meta name=robots`, and of `names` as well (the crawler's own name, in lower case); the crawler adds its X-Robots-Tag.
 */
export function linksOf(html: string, baseUrl: string, names: readonly string[] = []): PageLinks {
  const rules = new Set<string>()
  const hrefs = new Set<string>()
  const { host } = new URL(baseUrl)
  let base: string | null = null
  let canonical: string | null = null
  let next: string | null = null
  let cut = false
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
        else cut ||= !hrefs.has(url)
      },
    })
  } catch (error) {
    if (!(error instanceof PageTooDeep)) throw error
    cut = true
  }
  const asks = (rule: string) => rules.has(rule) || rules.has('none')
  return { canonical, next, hrefs: [...hrefs], noindex: asks('noindex'), nofollow: asks('nofollow'), cut }
}
