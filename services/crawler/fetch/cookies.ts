import { CookieJar, cookieCompare } from 'tough-cookie'

/** RFC 6265 6.1: a client keeps at least so many cookies of a host, and so long ones. */
const COOKIES_OF_HOST_MAX = 50
const COOKIE_CHARS_MAX = 4_096
/** Hosts that set cookies: those of the source, and a few to which it redirects. */
const HOSTS_MAX = 20

/**
 * The cookies of one crawl, in memory alone: each host gets back what it set, by RFC 6265. No log, event or spool has them, and
 * they end with the crawl. Hosts, cookies and their lengths are bounded; what exceeds a bound is not kept.
 */
export class Cookies {
  readonly #jar = new CookieJar()
  readonly #hosts = new Set<string>()

  /** The value of the header Cookie for a request; null without one. */
  headerFor(url: URL): string | null {
    const cookies = this.#cookiesOf(url).toSorted(cookieCompare)
    return cookies.length === 0 ? null : cookies.map((cookie) => cookie.cookieString()).join('; ')
  }

  /** Keeps the values of a Set-Cookie header; ignores invalid ones, and those for other hosts. */
  keep(url: URL, header: string | readonly string[] | undefined): void {
    const values = [header ?? []].flat().filter((value) => value.length <= COOKIE_CHARS_MAX)
    if (values.length === 0 || !this.#admits(url.hostname)) return
    for (const value of values.slice(0, COOKIES_OF_HOST_MAX)) {
      if (this.#countOf(url) >= COOKIES_OF_HOST_MAX) return
      this.#jar.setCookieSync(value, url.href, { ignoreError: true })
    }
  }

  #admits(host: string): boolean {
    if (this.#hosts.size < HOSTS_MAX) this.#hosts.add(host)
    return this.#hosts.has(host)
  }

  /** Counts the cookies of all paths, also those for https alone. */
  #countOf(url: URL): number {
    return this.#cookiesOf(Object.assign(new URL(url), { protocol: 'https:' }), { allPaths: true }).length
  }

  #cookiesOf({ href }: URL, options: { allPaths?: boolean } = {}) {
    try {
      return this.#jar.getCookiesSync(href, options)
    } catch {
      // The jar throws for a host that is a public suffix, which has no cookies.
      return []
    }
  }
}
