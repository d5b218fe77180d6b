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
  const name = url === null ? address : url.origin + url.pathname + withoutValues(url.search)
  if (name.length <= NAME_CHARS_MAX) return name
  return `${name.slice(0, NAME_CHARS_MAX - DIGEST_CHARS - HIDDEN.length)}${HIDDEN}${sha256Hex(name).slice(0, DIGEST_CHARS)}`
}

/** A sentence for a person, with every address in it by its name; at most {@link DETAIL_CHARS_MAX} characters of text. */
export function withoutSecrets(sentence: string): string {
  const named = sentence.replaceAll(ADDRESS, (found) => {
    const [end = ''] = /[:,.;)'’]*$/.exec(found) ?? []
    return documentName(found.slice(0, found.length - end.length)) + end
  })
  return named.replaceAll(CONTROLS, ' ').slice(0, DETAIL_CHARS_MAX).toWellFormed()
}
const ADDRESS = /https?:\/\/[^\s"<>]+/gi
const CONTROLS = /\p{Cc}/gu

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
const SECRET_END = /(key|token|secret|password|passwd|passphrase|signature|sessionid|auth)$/

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
