import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { PageError } from '@catalog/console/pages/page-error.ts'
import type { Markup } from '@catalog/pages/markup.ts'
import { field } from '@catalog/pages/parts.ts'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Passwords are stored as scrypt hashes (RFC 7914): 'scrypt$N$r$p$salt$hash', salt and hash in base64url. */

export type PasswordCost = Readonly<{ N: number; r: number; p: number }>

/** 32 MiB and about a quarter of a second, as OWASP's password storage cheat sheet recommends. */
export const PASSWORD_COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Node allows 32 MiB by default; the hash needs slightly more. */
const MEMORY_MAX_BYTES = 64 * 2 ** 20
/** Leaves two of Node's four worker threads free. */
const HASHING_MAX = 2
/** Of each queue; the last one in it waits about three seconds. */
const WAITING_MAX = 20
const RETRY_SECONDS = 5

const PASSWORD_CHARS_MIN = 12
const PASSWORD_CHARS_MAX = 200

/** Guessing begins with lists from breaches, names, keyboards and dates: up to this score of zxcvbn, of at most 10^8 guesses. */
const GUESSED_SCORE = 2
/** Time grows with the square of the length: these take some 50 ms at most. */
const GUESSED_CHARS_MAX = 40
const SITE_WORDS = ['construction', 'cost', 'catalog', 'catalogue']

/** Why this password is refused (NIST SP 800-63B §3.1.1.2); undefined when it is accepted. Asks nobody outside. */
export async function passwordProblem(password: string, email: string): Promise<string | undefined> {
  const normal = normalized(password)
  const length = [...normal].length
  if (length < PASSWORD_CHARS_MIN) return `Choose a password of at least ${PASSWORD_CHARS_MIN} characters.`
  if (length > PASSWORD_CHARS_MAX) return `Choose a password of at most ${PASSWORD_CHARS_MAX} characters.`
  if (normal.toLowerCase() === normalized(email).toLowerCase()) return 'Choose a password that is not your e-mail.'
  if (new Set(normal).size === 1) return 'Choose a password of more than one character repeated.'
  const guesser = await openGuesser()
  const { score } = guesser.check(normal.slice(0, GUESSED_CHARS_MAX), [email, ...email.split(/[@.]/), ...SITE_WORDS])
  if (score <= GUESSED_SCORE) {
    return 'Choose another password: attackers try this one or one like it first, from lists of passwords that leaked.'
  }
  return undefined
}

/** Its lists take some 30 MB, so they load with the first new password. */
function openGuesser(): Promise<ZxcvbnFactory> {
  guesser ??= loadGuesser()
  return guesser
}
let guesser: Promise<ZxcvbnFactory> | undefined

async function loadGuesser(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs: graphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs })
}

export function newPasswordField({ error }: { error?: string | undefined } = {}): Markup {
  return field({
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${PASSWORD_CHARS_MIN} characters; several words work well.`,
    minLength: PASSWORD_CHARS_MIN,
    error,
  })
}

/** Keyboards compose the same letter in different ways. */
const normalized = (password: string) => password.normalize('NFKC')

/** Whether the person signed in with the browser before: such people wait in a queue of their own, which goes first. */
type Sender = Readonly<{ isKnown: boolean }>

export interface Passwords {
  hash(password: string, sender?: Sender): Promise<string>
  /** Answers false for an undefined hash, after the same work, so that timing reveals no account. */
  matches(password: string, stored: string | undefined, sender?: Sender): Promise<boolean>
}

/** Hashes at most HASHING_MAX passwords at once. Both methods throw a page with status 503 when too many wait. */
export function openPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const nobody = storedAs(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))
  const known: (() => void)[] = []
  const strangers: (() => void)[] = []
  let hashing = 0

  async function derive(password: string, salt: Buffer, { N, r, p }: PasswordCost, isKnown: boolean): Promise<Buffer> {
    const waiting = isKnown ? known : strangers
    if (hashing < HASHING_MAX) hashing++
    else if (waiting.length >= WAITING_MAX) throw TOO_BUSY
    // A finished call hands its slot to the next one.
    else await new Promise<void>((resume) => waiting.push(resume))
    try {
      return await deriveKey(normalized(password), salt, HASH_BYTES, { N, r, p, maxmem: MEMORY_MAX_BYTES })
    } finally {
      const next = known.shift() ?? strangers.shift()
      if (next === undefined) hashing--
      else next()
    }
  }

  return {
    async hash(password, { isKnown } = STRANGER) {
      const salt = randomBytes(SALT_BYTES)
      return storedAs(cost, salt, await derive(password, salt, cost, isKnown))
    },
    async matches(password, stored, { isKnown } = STRANGER) {
      const { salt, hash, ...made } = parsed(stored ?? nobody)
      const found = await derive(password, salt, made, isKnown)
      return timingSafeEqual(found, hash) && stored !== undefined
    },
  }
}

const STRANGER: Sender = { isKnown: false }

const deriveKey: (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

function storedAs({ N, r, p }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Throws on a malformed hash, without its text in the error. */
function parsed(stored: string): PasswordCost & { salt: Buffer; hash: Buffer } {
  const parts = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]{22})\$([\w-]{43})$/.exec(stored)
  if (parts === null) throw new Error('a stored password: expected scrypt$N$r$p$salt$hash')
  const [, N, r, p, salt, hash] = parts as unknown as [string, string, string, string, string, string]
  return {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

const TOO_BUSY = new PageError(503, 'Busy', 'Too many people are signing in at present. Try again in a few seconds.', {
  retryAfterSeconds: RETRY_SECONDS,
})
