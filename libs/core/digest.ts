import { createHash, hash } from 'node:crypto'

/** SHA-256 of UTF-8 text or bytes, 64 lower-case hex digits. Pure, and the one use of a Node module in core. */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex')
}

/** SHA-256 of the concatenation of the parts, 32 bytes. */
export function sha256Bytes(...parts: readonly (string | Uint8Array)[]): Buffer {
  const running = createHash('sha256')
  for (const part of parts) running.update(part)
  return running.digest()
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined }

/**
 * Canonical JSON (RFC 8785): keys sorted by UTF-16 code units, no white space, shortest numbers; keys whose value is
 * undefined are left out. Two equal values give equal bytes. Throws TypeError on NaN, infinities and lone surrogates,
 * which JSON cannot carry.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON: ${value} is not a JSON number`)
    return JSON.stringify(value)
  }
  if (typeof value === 'string') {
    if (PLAIN_TEXT.test(value)) return `"${value}"`
    if (!value.isWellFormed()) throw new TypeError('canonical JSON: the text holds a lone surrogate')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) {
    let elements = ''
    for (const element of value) elements += elements === '' ? canonicalJson(element) : `,${canonicalJson(element)}`
    return `[${elements}]`
  }
  const record = value as { readonly [key: string]: JsonValue | undefined }
  let members = ''
  for (const key of Object.keys(record).sort()) {
    const member = record[key]
    if (member !== undefined) members += `${members === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(member)}`
  }
  return `{${members}}`
}

/** Letters, digits and marks that JSON writes as they are: nearly every text here, and much faster than asking JSON. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** First 26 characters (130 bits) of the SHA-256 of the text in lower-case base32: the suffix of `vsku_` and `ci_` ids. */
export function idSuffix(text: string): string {
  const bytes = sha256Bytes(text)
  let suffix = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      suffix += BASE32[(held >> bits) & 31]
      if (suffix.length === 26) return suffix
    }
    held &= (1 << bits) - 1
  }
  return suffix
}

/** An entry of a digest: an id and the SHA-256 of its payload. */
export type DigestEntry = { readonly id: string; readonly sha: Uint8Array }

/** The bucket (0..255) of an id: the first byte of the SHA-256 of the id. */
function bucketOf(id: string): number {
  return sha256Bytes(id)[0] as number
}

/**
 * The 256 bucket hashes of a set: bucket b = SHA-256 over its ids in ascending byte order of (id ‖ 0x00 ‖ sha). An
 * empty bucket is the SHA-256 of nothing. The order in which entries come does not matter; an id must come once.
 */
export function bucketHashes(entries: Iterable<DigestEntry>): Buffer[] {
  const buckets: DigestEntry[][] = Array.from({ length: 256 }, () => [])
  for (const entry of entries) buckets[bucketOf(entry.id)]?.push(entry)
  return buckets.map((bucket) => {
    const running = createHash('sha256')
    bucket.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
    for (const { id, sha } of bucket) running.update(id).update(SEPARATOR).update(sha)
    return running.digest()
  })
}

const SEPARATOR = new Uint8Array([0])

/** The root over the 256 bucket hashes, hex: SHA256(b0 ‖ … ‖ b255). One value proves that two sets are equal. */
export function rootOf(buckets: readonly Uint8Array[]): string {
  return sha256Bytes(...buckets).toString('hex')
}
