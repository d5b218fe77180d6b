import { createInterface } from 'node:readline/promises'
import { TRUST_DEFAULT } from '@catalog/core/events/sources.ts'

/** Settings of a source as a person typed them, as options or answers. */
export type Answers = Readonly<{
  source?: string | undefined
  region?: string | undefined
  kind?: string | undefined
  trust?: string | undefined
  validity?: string | undefined
  validityDays?: string | undefined
  schedule?: string | undefined
  currency?: string | undefined
  lang?: string | undefined
  include?: readonly string[] | undefined
  /** Path of a mapping file, relative to the working folder. */
  mapping?: string | undefined
}>

/** Asks a person and returns the typed line. */
export type Prompt = (question: string) => Promise<string>

/** A person types it for "none". */
export const NONE = '-'
/** Attempts at one question. */
const TRIES_MAX = 10

const QUESTIONS = {
  source: 'name of the source',
  region: 'region: EU, LATAM, or a country of the contract or the EU, as ES',
  kind: 'kind: shop, bid or bank',
  trust: `trust, 0 to 100 (${NONE} is ${TRUST_DEFAULT})`,
  validity: `until_superseded where editions replace its prices (${NONE} is by days)`,
  validityDays: `days for which its prices vote (${NONE} is as its kind has it)`,
  schedule: `when it is crawled, as cron in UTC (${NONE} is by hand only)`,
  currency: 'currency of prices without one, as EUR',
  lang: 'language of its texts, as es',
  include: `which of its pages have products, as /products/** with blanks between (${NONE} is all)`,
  mapping: 'mapping file',
} as const satisfies Record<keyof Answers, string>

type PromptOptions = Readonly<{
  prompt: Prompt
  note: (line: string) => void
  /** Null if the answers so far are valid. */
  problemOf: (answers: Answers) => string | null
}>

/** Asks until the answer is valid and returns all answers; Enter keeps the present one. */
export async function promptUntilValid(
  key: keyof Answers,
  answers: Answers,
  { prompt, note, problemOf }: PromptOptions,
): Promise<Answers> {
  const known = answers[key]
  const shown = (typeof known === 'object' ? known.join(' ') : known) || NONE
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const typed = (await prompt(`${QUESTIONS[key]} [${shown}]: `)).trim() || shown
    const text = typed === NONE ? undefined : typed
    const next = { ...answers, [key]: key === 'include' ? (text?.split(/\s+/) ?? []) : text }
    const problem = problemOf(next)
    if (problem === null) return next
    note(problem)
  }
  throw new Error(`${QUESTIONS[key]}: expected an answer in ${TRIES_MAX} tries`)
}

/** Asks until the answer names one of `choices`, of which there is at least one; Enter takes the first. */
export async function promptForOne<T>(
  prompt: Prompt,
  { question, choices }: { question: string; choices: ReadonlyMap<string, T> },
): Promise<T> {
  const names = [...choices.keys()]
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const typed = (await prompt(`${question}: ${names.join(', ')} [${names[0]}]: `)).trim() || names[0]
    for (const [name, choice] of choices) if (name === typed) return choice
  }
  throw new Error(`${question}: expected one of ${names.join(', ')} in ${TRIES_MAX} tries`)
}

export async function confirm(
  prompt: Prompt,
  { question, byDefault }: { question: string; byDefault: boolean },
): Promise<boolean> {
  const typed = (await prompt(`${question} [${byDefault ? 'Y/n' : 'y/N'}]: `)).trim().toLowerCase()
  return typed === '' ? byDefault : /^(y|yes|s|si|sí)$/.test(typed)
}

/** Questions on this terminal. They reject with the signal's reason, or when the input ends. */
export function openPrompt(signal: AbortSignal): { prompt: Prompt } & Disposable {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new AbortController()
  lines.on('close', () => ended.abort())
  // readline swallows Ctrl-C while it reads a line.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  return {
    async prompt(question) {
      try {
        return await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) })
      } catch (cause) {
        signal.throwIfAborted()
        throw new Error('the input ended; nothing was added', { cause })
      }
    },
    [Symbol.dispose]: () => lines.close(),
  }
}
