/**
 * Why a pass ended before the copy was in sync. Rows and position stay as the last commit left them.
 *
 * `unreachable`: the origin did not answer within all retries.
 *
 * `unsettled`: the documents do not fit together yet, because of a stale cache or an origin that moved on. A later pass
 * may succeed.
 *
 * `refused`: the origin did not prove to be the known one, or has less than the copy. The copy waits for the right origin, or
 * for a person's word.
 *
 * `contradiction`: a document is wrong, even when it was read past every cache. Waiting does not help.
 */
export type MirrorErrorKind = 'unreachable' | 'unsettled' | 'refused' | 'contradiction'

export class MirrorError extends Error {
  override name = 'MirrorError'
  readonly kind: MirrorErrorKind
  /** The change number concerned, if known. */
  readonly seq: number | undefined

  constructor(message: string, { kind, seq, cause }: { kind: MirrorErrorKind; seq?: number; cause?: unknown }) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
    this.seq = seq
  }
}

/** A wrong value with its place. */
export type Mismatch = Readonly<{ scope: string; seq: number; what: string; expected: unknown; found: unknown }>

export function contradiction(mismatch: Mismatch): MirrorError {
  return new MirrorError(textOf(mismatch), { kind: 'contradiction', seq: mismatch.seq })
}

export function unsettled(mismatch: Mismatch): MirrorError {
  return new MirrorError(textOf(mismatch), { kind: 'unsettled', seq: mismatch.seq })
}

const textOf = ({ scope, seq, what, expected, found }: Mismatch) =>
  `${scope} seq ${seq}: ${what}: expected ${expected}, found ${found}`

/** A contradiction within one document, without a change number. */
export const malformed = (message: string, cause?: unknown) =>
  new MirrorError(message, { kind: 'contradiction', cause })
