import { sha256Hex } from '@catalog/core/digest.ts'

/** How positions, problems and logs call what was fetched: addresses may carry the keys by which a vendor knows us. */

/** Leaves room for the place within the document in a position. */
const NAME_CHARS_MAX = 300
const DIGEST_CHARS = 12
/** As a problem of a crawl has room for. */
export const DETAIL_CHARS_MAX = 500
const HIDDEN = '…'

/**
 * An address without credentials, fragment and the values of keys that look secret (`token`, `apiKey`, `X-Amz-Signature`).
 * Two addresses that differ in something else have two names, also where they are cut.
 */
export function documentName(address: string): string {
  const url = URL.parse(address)
  // What is no address to us may be one to its writer.
  const name =
    url === null
      ? withoutValues(address.replace(USER, '$1'))
      : url.origin + withoutPathValues(url.pathname) + withoutValues(url.search)
  if (name.length <= NAME_CHARS_MAX) return name
  return `${name.slice(0, NAME_CHARS_MAX - DIGEST_CHARS - HIDDEN.length)}${HIDDEN}${sha256Hex(name).slice(0, DIGEST_CHARS)}`
}

/** A sentence for a person, with every address in it by its name; at most {@link DETAIL_CHARS_MAX} characters of text. */
export function withoutSecrets(sentence: string): string {
  const named = sentence.replaceAll(ADDRESS, (found) => {
    let length = found.length
    while (length > 0 && ENDS.includes(found[length - 1] as string)) length--
    return documentName(found.slice(0, length)) + found.slice(length)
  })
  return named.replaceAll(CONTROLS, ' ').slice(0, DETAIL_CHARS_MAX).toWellFormed()
}
const ADDRESS = /https?:\/\/[^\s"<>]+/gi
/** Where an address ends a sentence, or stands in quotes. */
const ENDS = ":,.;)'’"
const CONTROLS = /\p{Cc}/gu
const USER = /^(https?:\/\/)[^/?#@]*@/i

/**
 * Gives addresses of a source without the keys of its entry points: a page's own address is recorded and published, also
 * that of a page which was asked for with a key. A parameter of such a name that has another value stays, since it may be
 * what tells one product from another.
 */
export function withoutKeysOf(entryPoints: readonly string[]): (address: string) => string {
  const keys = new Set(entryPoints.flatMap((address) => [...new URL(address).searchParams].filter(isKey).map(pairOf)))
  return (address) => {
    const url = URL.parse(address)
    const found = url === null ? [] : [...url.searchParams].filter((parameter) => keys.has(pairOf(parameter)))
    // Untouched where there is none: to write parameters anew changes how they are spelled.
    for (const [key, value] of found) url?.searchParams.delete(key, value)
    return url === null || found.length === 0 ? address : url.href
  }
}

type Parameter = readonly [key: string, value: string]
const isKey = ([key, value]: Parameter) => value !== '' && isSecret(key)
const pairOf = (parameter: Parameter) => JSON.stringify(parameter)

/** Servers of Java write a session behind the path: /prices;jsessionid=A1B2. */
const withoutPathValues = (path: string) =>
  path.replaceAll(/;([^=;/]*)=[^;/]*/g, (whole, key: string) => (isSecret(key) ? `;${key}=${HIDDEN}` : whole))

const withoutValues = (search: string) =>
  search.replaceAll(/([?&])([^=&]*)=[^&]*/g, (whole, before: string, key: string) =>
    isSecret(key) ? `${before}${key}=${HIDDEN}` : whole,
  )

function isSecret(key: string): boolean {
  const words = decoded(key)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_END.test(word))
}
const SECRET_WORDS: ReadonlySet<string> = new Set(
  'pass pwd pw auth authorization sig sign hmac hash credential credentials session sid jwt bearer user username login'.split(
    ' ',
  ),
)
const SECRET_END = /(key|token|secret|password|passwd|passphrase|signature|sess(ion)?id|auth)$/

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
