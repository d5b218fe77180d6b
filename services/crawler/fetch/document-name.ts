import { sha256Hex } from '@catalog/core/digest.ts'

/**
 * Names of documents for positions, problems and logs. Addresses may carry a vendor's keys, which these names leave
 * out.
 */

/** Leaves room for the place within the document in a position. */
const NAME_CHARS_MAX = 300
const DIGEST_CHARS = 12
/** The room for a problem in CrawlFinished. */
export const DETAIL_CHARS_MAX = 500
const HIDDEN = '…'

/**
 * An address without credentials, fragment and the values of parameters that look secret (`token`, `apiKey`,
 * `X-Amz-Signature`). Two addresses that differ elsewhere have different names, even when shortened.
 */
export function documentName(address: string): string {
  const url = URL.parse(address)
  // A server may accept an address that the URL parser refuses.
  const name =
    url === null
      ? withoutValues(address.replace(USER, '$1'))
      : url.origin + withoutPathValues(url.pathname) + withoutValues(url.search)
  if (name.length <= NAME_CHARS_MAX) return name
  return `${name.slice(0, NAME_CHARS_MAX - DIGEST_CHARS - HIDDEN.length)}${HIDDEN}${sha256Hex(name).slice(0, DIGEST_CHARS)}`
}

/** Replaces every address in a sentence by its name, and bounds the text to {@link DETAIL_CHARS_MAX} characters. */
export function withoutSecrets(sentence: string): string {
  const named = sentence.replaceAll(ADDRESS, (found) => {
    let length = found.length
    while (length > 0 && ENDS.includes(found[length - 1] as string)) length--
    return documentName(found.slice(0, length)) + found.slice(length)
  })
  return named.replaceAll(CONTROLS, ' ').slice(0, DETAIL_CHARS_MAX).toWellFormed()
}
const ADDRESS = /https?:\/\/[^\s"<>]+/gi
/** Punctuation after an address in a sentence or in quotes. */
const ENDS = ":,.;)'’"
const CONTROLS = /\p{Cc}/gu
const USER = /^(https?:\/\/)[^/?#@]*@/i

/**
 * Returns a function that removes the keys of a source's entry points from an address: observations publish the
 * addresses of pages. A parameter with another value stays, since it may tell one product from another.
 */
export function withoutKeysOf(entryPoints: readonly string[]): (address: string) => string {
  const keys = new Set(entryPoints.flatMap((address) => [...new URL(address).searchParams].filter(isKey).map(pairOf)))
  return (address) => {
    const url = URL.parse(address)
    const found = url === null ? [] : [...url.searchParams].filter((parameter) => keys.has(pairOf(parameter)))
    // Without a match the address stays as it is: rewriting the parameters would change their encoding.
    for (const [key, value] of found) url?.searchParams.delete(key, value)
    return url === null || found.length === 0 ? address : url.href
  }
}

type Parameter = readonly [key: string, value: string]
const isKey = ([key, value]: Parameter) => value !== '' && isSecret(key)
const pairOf = (parameter: Parameter) => JSON.stringify(parameter)

/** Java servers append a session to the path: /prices;jsessionid=A1B2. */
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
