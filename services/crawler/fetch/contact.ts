import type { Fetcher } from './fetcher.ts'

/** Requires an address at which a vendor can reach the operator before any vendor is fetched from. */

/** The contact in the User-Agent of an operator who fetches from this machine only. */
export const OWN_MACHINE = 'http://localhost/'

/**
 * The first of the given addresses that vendors can reach, null where there is none. `baseUrl`, the catalog's own address,
 * does not count while it names this machine.
 */
export function reachableContact(contacts: readonly (string | null | undefined)[], baseUrl?: string): string | null {
  const given = contacts.find((contact) => contact != null)
  return given ?? (baseUrl === undefined || isOwnMachine(baseUrl) ? null : baseUrl)
}

/** Refuses every host but this machine while there is no contact: an anonymous crawler can only be blocked as a whole. */
export function withContact(fetcher: Fetcher, contact: string | null): Fetcher {
  if (contact !== null) return fetcher
  const check = (url: string) => {
    if (isOwnMachine(url)) return
    const host = URL.parse(url)?.hostname
    throw new Error(
      `CRAWL_CONTACT is not set: expected the address of a page or of mail where ${host} can reach you, such as CRAWL_CONTACT=https://your.example/crawler`,
    )
  }
  return {
    get: (url, options) => {
      check(url)
      return fetcher.get(url, options)
    },
    sitemaps: (origin, signal) => {
      check(origin)
      return fetcher.sitemaps(origin, signal)
    },
  }
}

function isOwnMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
