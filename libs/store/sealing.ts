import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/**
 * Encrypts secrets that the database keeps, so that a copy of it lets nobody in (AES-256-GCM). The text names its key by an
 * id: after a rotation older keys still open what they sealed.
 */
export type Sealing = Readonly<{
  /** Base64 of 32 bytes each. The first seals, all open; without any, secrets stay in clear. */
  keys: readonly string[]
}>

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_CHARS = 12
const SEALED = /^sealed:([0-9a-f]{12}):([\w-]+)$/

/** The text as it is stored. `place` names its row: moved to another one, it opens no more. */
export function seal(sealing: Sealing | undefined, text: string, place: string): string {
  const key = sealing?.keys[0]
  if (key === undefined) return text
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64'), iv).setAAD(Buffer.from(place))
  const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `sealed:${keyId(key)}:${bytes.toString('base64url')}`
}

/** The secret of a stored text, sealed or in clear. Throws when its key is not there, or the text was changed. */
export function unseal(sealing: Sealing | undefined, stored: string, place: string): string {
  const [, id, text] = SEALED.exec(stored) ?? []
  if (id === undefined || text === undefined) return stored
  const key = sealing?.keys.find((key) => keyId(key) === id)
  if (key === undefined) {
    throw new Error(`${place} is sealed by the key ${id}: expected that key in SECRETS_KEY or SECRETS_KEY_FILE`)
  }
  const bytes = Buffer.from(text, 'base64url')
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), bytes.subarray(0, IV_BYTES))
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(end))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, end)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new Error(`${place} does not open with its key ${id}: it was changed`, { cause })
  }
}

/** Whether the first key sealed it. Without keys nothing is. */
export function isSealed(sealing: Sealing | undefined, stored: string): boolean {
  const key = sealing?.keys[0]
  return key !== undefined && SEALED.exec(stored)?.[1] === keyId(key)
}

const keyId = (key: string) => hash('sha256', `key id ${key}`).slice(0, KEY_ID_CHARS)
