/**
 * Why a pass of the mirror ended before it was in sync; rows and position are as the last commit left them.
 *
 * `unreachable`: the origin did not answer, after all retries.
 * `unsettled`: what was read does not fit together yet: a stale cache, or an origin that moved on meanwhile. Asking later
 *   may help.
 * `contradiction`: what was read is wrong, also when it was asked for again past every cache. Waiting does not help.
 */
export type MirrorErrorKind = 'unreachable' | 'unsettled' | 'contradiction'

export class MirrorError extends Error {
  override name = 'MirrorProblem'
  readonly kind: MirrorErrorKind
  /** The number in question, where it is known. */
  readonly seq: number | undefined

  constructor(message: string, { kind, seq, cause }: { kind: MirrorErrorKind; seq?: number; cause?: unknown }) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
    this.seq = seq
  }
}

/** What stands where another value has to be. */
export type Mismatch = Readonly<{ scope: string; seq: number; what: string; expected: unknown; found: unknown }>

export function contradiction(mismatch: Mismatch): MirrorError {
  return new MirrorError(textOf(mismatch), { kind: 'contradiction', seq: mismatch.seq })
}

export function unsettled(mismatch: Mismatch): MirrorError {
  return new MirrorError(textOf(mismatch), { kind: 'unsettled', seq: mismatch.seq })
}

const textOf = ({ scope, seq, what, expected, found }: Mismatch) =>
  `${scope} seq ${seq}: ${what}: expected ${expected}, found ${found}`
