import type { WriteRefusal } from '@catalog/store/db.ts'
import { storeFailureOf } from '@catalog/store/failure.ts'
import type { Command } from 'commander'

/** What a command says of an error: a code for machines, a sentence for people, and the causes that say more. */
type CommandFailure = Readonly<{ code: string; details: string; causes: readonly string[] }>

/** Causes that a person can act on without knowing the code, each with its next command. */
const SENTENCES: Readonly<Record<WriteRefusal, string>> = {
  disk: 'the disk is full, or fails: make room; catalog doctor says how much is free, and where',
  read_only:
    'the database takes no writes: name the primary server in DATABASE_URL; catalog doctor looks at every part',
}
const CODES: Readonly<Record<WriteRefusal, string>> = { disk: 'DiskFull', read_only: 'ReadOnly' }

/** Of files: no space, a quota, and an error of input or output, which a full disk also gives. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EIO']
/** SQLITE_IOERR and SQLITE_FULL, of a replica, a copy of a mirror or a lock. */
const DISK_ERRCODES = [10, 13]

export function failureOf(error: unknown): CommandFailure {
  const chain = chainOf(error)
  const known = chain.map(knownFailure).find((failure) => failure !== undefined)
  const first = chain[0] ?? new Error(String(error))
  const sentence = known === undefined ? undefined : SENTENCES[known]
  const said = chain.map(({ message }) => message)
  const details = sentence ?? first.message
  const code = known === undefined ? codeOf(first) : CODES[known]
  const causes = (sentence === undefined ? said.slice(1) : said).filter((cause) => cause !== '' && cause !== details)
  return { code, details, causes: [...new Set(causes)] }
}

/** The one JSON value of a command that failed. */
export const failureJson = ({ code, details, causes }: CommandFailure) => ({
  error: code,
  details,
  ...(causes.length > 0 && { causes }),
})

/** The error and its causes, outermost first; a cycle ends it. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && !chain.includes(next); next = next.cause) chain.push(next)
  return chain
}

function codeOf(error: Error): string {
  // pg names every error of the server just "error".
  if (error.name === 'error') return 'DatabaseError'
  const { code } = error as NodeJS.ErrnoException
  return error.name === 'Error' && code !== undefined ? code : error.name
}

function knownFailure(error: Error): WriteRefusal | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (DISK_CODES.includes(String(code)) || DISK_ERRCODES.includes(Number(errcode))) return 'disk'
  const failure = storeFailureOf(error)
  return failure === 'away' ? undefined : failure
}

/** The command as a person typed it: `catalog backup verify`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}
