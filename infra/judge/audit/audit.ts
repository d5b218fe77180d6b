import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS } from '@catalog/core/time.ts'
import { failed, type Judge, passed, skipped } from '@catalog/judge/harness/verdict.ts'
import { parse } from 'yaml'
import { problemOf, valuesOf } from './checks.ts'
import { type Answer, send } from './exchange.ts'
import { openShapes, type Shapes } from './shapes.ts'

/**
 * Tables of requests with what their answers have to be, for any deployment. A row is `REQUIREMENT: REQUEST -> CHECK; CHECK`:
 * exchange.ts and checks.ts describe the two. `N x REQUEST` repeats it until it is refused. `{name}` stands for a value and
 * `{a*300}` for 300 letters; a row with `{address}` is one row for each of the addresses.
 */
export type Tables = Readonly<{
  /** By name: `REQUEST -> OPERAND`, perhaps with ` ~ PATTERN`, whose group is the value. */
  values: Readonly<Record<string, string>>
  shapes: Shapes
  addresses: readonly string[]
  /** What contract-only requests are made of: operations with the shape of their answers, and values of parameters. */
  requests: Readonly<{
    operations: Readonly<Record<string, Readonly<{ shape: string; parameters: readonly string[] }>>>
    parameters: Readonly<Record<string, readonly string[]>>
  }>
  /** Lines of rows by section of the specification. */
  specification: Readonly<Record<string, string>>
  habits: Readonly<Record<string, string>>
}>

export const TABLES = ['specification', 'habits'] as const

export function readTables(): Tables {
  const [shapes, specification, habits] = ['shapes', ...TABLES].map((name) =>
    parse(readFileSync(join(import.meta.dirname, `${name}.yaml`), 'utf8'), { merge: true }),
  )
  return { ...shapes, specification, habits }
}

export type Deployment = Readonly<{
  /** The base address, with its /v1. */
  base: string
  /** Values that the tables cannot ask for: `org` is an organization key. */
  known: Readonly<Record<string, string>>
  /** Headers of another address with each call, where the deployment trusts them: each row comes from one of its own. */
  nextSender?: () => Readonly<Record<string, string>>
}>

/** The limit of a minute is waited for, that of an hour is not. */
const WAIT_SECONDS_MAX = 70

/** What the deployment does not give now: a value, or an answer before a limit of hours ends. */
class Missing extends Error {}

/** Asks a deployment, with the values of the tables filled in. */
export function openAsker({ values }: Pick<Tables, 'values'>, { base, known, nextSender }: Deployment) {
  const found = new Map<string, Promise<string>>()
  for (const [name, value] of Object.entries({
    days_ago_91: new Date(Date.now() - 91 * DAY_MS).toISOString(),
    origin: base.replace(/\/v1$/, ''),
    ...known,
  }))
    found.set(name, Promise.resolve(value))
  let sender = nextSender?.()

  const sendOnce = (request: string) => send(base, request, sender)

  async function readValue(name: string): Promise<string> {
    const [request = '', operand = ''] = (values[name] as string).split(' -> ')
    const [place = '', pattern = '(.+)'] = operand.split(' ~ ')
    const answer = await ask(request)
    const value = new RegExp(pattern).exec(valuesOf(place, answer)[0] ?? '')?.[1]
    if (value === undefined) throw new Missing(`${name}: no ${operand} in ${request}: ${answer.text.slice(0, 100)}`)
    return value
  }

  async function filled(text: string): Promise<string> {
    let whole = ''
    for (const part of text.split(/(\{[^{}"*\s]+(?:\*\d+)?\})/)) {
      const [, name = '', times] = /^\{([^{}"*\s]+?)(?:\*(\d+))?\}$/.exec(part) ?? []
      if (values[name] !== undefined && !found.has(name)) found.set(name, readValue(name))
      if (name === 'org' && !found.has(name)) throw new Missing('it needs an organization key: --key svc_org_...')
      whole += times === undefined ? await (found.get(name) ?? part) : name.repeat(Number(times))
    }
    return whole
  }

  /** Waits where a limit of a minute refuses the request. */
  async function ask(request: string): Promise<Answer> {
    const whole = await filled(request)
    for (;;) {
      const answer = await sendOnce(whole)
      const seconds = Number(answer.headers['retry-after'])
      if (answer.status !== 429) return answer
      if (!(seconds <= WAIT_SECONDS_MAX)) throw new Missing(`a limit is reached for ${seconds} s`)
      await delay(seconds * 1000)
    }
  }

  return {
    filled,
    ask,
    nextRow() {
      sender = nextSender?.()
    },
    async askUntilRefused(request: string, times: number): Promise<Answer> {
      const whole = await filled(request)
      let answer = await sendOnce(whole)
      for (let n = 1; n < times && answer.status < 400; n++) answer = await sendOnce(whole)
      return answer
    },
  }
}

/** The rows of a table as judges, and with the specification a row for each field of its shapes. */
export function rowsOf(name: (typeof TABLES)[number], tables: Tables, deployment: Deployment): readonly Judge[] {
  const shapes = openShapes(tables.shapes)
  const asker = openAsker(tables, deployment)

  async function judge(request: string, checks: readonly string[]) {
    asker.nextRow()
    try {
      const [, times, one = ''] = /^(?:(\d+) x )?(.*)$/s.exec(request) ?? []
      const answer = await (times === undefined ? asker.ask(one) : asker.askUntilRefused(one, Number(times)))
      const problems: string[] = []
      for (const check of checks) {
        const problem = await problemOf(await asker.filled(check), answer, { shapes, ask: asker.ask })
        if (problem !== null) problems.push(problem)
      }
      return { problems, skips: null }
    } catch (error) {
      if (!(error instanceof Missing)) throw error
      return { problems: [], skips: error.message }
    }
  }

  const rows = Object.entries(tables[name]).flatMap(([section, lines]) =>
    linesOf(lines, tables.addresses).map(({ requirement, request, checks }): Judge => {
      const how = `${requirement}: ${request}`
      return {
        name: section,
        async run() {
          const { problems, skips } = await judge(request, checks)
          if (skips !== null) return skipped(`${how}: ${skips}`)
          return problems.length === 0 ? passed(how) : failed(how, problems.join('\n'))
        },
      }
    }),
  )
  if (name !== 'specification') return rows
  const fields = [...shapes.tally].map(([field, counted]): Judge => {
    const how = `${field} is ${counted.type}`
    return {
      name: '2 fields',
      async run() {
        const says = `${how}: in ${counted.seen} objects`
        if (counted.faults.length > 0) return failed(says, counted.faults.join('\n'))
        return counted.seen > 0 ? passed(says) : skipped(says)
      },
    }
  })
  return [...rows, ...fields]
}

/** Throws for a line that is no row. */
function linesOf(lines: string, addresses: readonly string[]) {
  return lines
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) =>
      line.includes('{address}') ? addresses.map((one) => line.replaceAll('{address}', one)) : [line],
    )
    .map((line) => {
      const [, requirement, request, checks] = /^(.+?): ((?:\d+ x )?[A-Za-z]+ .+?) -> (.+)$/.exec(line) ?? []
      if (requirement === undefined || request === undefined || checks === undefined)
        throw new Error(`row '${line}': expected REQUIREMENT: REQUEST -> CHECK; CHECK`)
      return { requirement, request, checks: checks.split('; ') }
    })
}
