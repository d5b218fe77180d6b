import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Method, WeightedPrice } from '@catalog/core/median/median.ts'
import { METHODS } from '@catalog/core/median/methods.ts'
import { rational, toText } from '@catalog/core/money/rational.ts'

/**
 * The method by name: a built-in one, or the default export of a module. The module runs with all rights of this
 * process, so the operator vouches for it. Probes check its answers at once, and every later call too. Throws an error
 * with the expectation.
 */
export async function findMethod(
  named: string,
  { beforeRunning }: { beforeRunning: (file: string) => void },
): Promise<Readonly<{ method: Method; file: string | null }>> {
  const ours = METHODS.find(({ name }) => name === named)
  if (ours !== undefined) return { method: ours, file: null }
  const file = resolve(named)
  if (!existsSync(file)) {
    const names = METHODS.map(({ name }) => name).join(', ')
    throw new Error(`--method '${named}': expected ${names} or a file that exports a method`)
  }
  beforeRunning(file)
  const exported = (await load(file)).default
  const wrong = exportProblem(exported)
  if (wrong !== null) {
    throw new Error(
      `--method '${named}': ${wrong}; expected export default { name: 'mine/1', price: (votes) => ({ cents: 100n }) }`,
    )
  }
  const method = checked(exported as Method, file)
  requirePure(method, file)
  return { method, file }
}

/** Why an export is not a method; null for a valid one. */
function exportProblem(exported: unknown): string | null {
  if (typeof exported !== 'object' || exported === null) return 'the module has no default export that is an object'
  const { name, price } = exported as Partial<Record<keyof Method, unknown>>
  if (typeof name !== 'string' || !METHOD_NAME.test(name)) {
    return `name ${shown(name)}: expected a name and a version such as 'mine/1'`
  }
  if (METHODS.some((ours) => ours.name === name)) return `name '${name}' is the name of a built-in method`
  return typeof price === 'function' ? null : `price ${shown(price)}: expected a function of the votes`
}

const METHOD_NAME = /^[a-z][a-z0-9-]{0,98}\/[1-9]\d{0,8}$/

async function load(file: string): Promise<{ default?: unknown }> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (cause) {
    throw new Error(`--method '${file}': expected a module that can be loaded`, { cause })
  }
}

/** The method with checked answers; it gets copies of prices and weights alone. */
function checked({ name, price, votes }: Method, file: string): Method {
  return {
    name,
    ...(votes === 'guarded' && { votes }),
    price: (votes) => {
      let answer: unknown
      try {
        answer = price(votes.map(({ price: { n, d }, weight }) => ({ price: { n, d }, weight })))
      } catch (cause) {
        throw new Error(`method ${name} of '${file}' failed at ${written(votes)}`, { cause })
      }
      if (isPrice(answer)) return answer
      throw new Error(
        `method ${name} of '${file}' answered ${shown(answer)} at ${written(votes)}: expected null or { cents }, a bigint from 0 to ${Number.MAX_SAFE_INTEGER}`,
      )
    },
  }
}

/** Null, or an amount that can be published. */
function isPrice(answer: unknown): answer is ReturnType<Method['price']> {
  if (answer === null) return true
  const cents = (answer as { cents?: unknown } | undefined)?.cents
  return typeof cents === 'bigint' && cents >= 0n && cents <= BigInt(Number.MAX_SAFE_INTEGER)
}

/** Votes that test a method before it sees a catalog. */
const PROBES: readonly (readonly WeightedPrice[])[] = [
  [{ price: rational(100n), weight: 50 }],
  [
    { price: rational(100n), weight: 50 },
    { price: rational(200n, 3n), weight: 40 },
  ],
  [
    { price: rational(500n), weight: 10 },
    { price: rational(120n), weight: 90 },
    { price: rational(77n, 2n), weight: 30 },
    { price: rational(120n), weight: 5 },
  ],
]

/** Throws if the method answers the same votes differently: its prices would depend on chance. */
function requirePure({ name, price }: Method, file: string): void {
  for (const votes of PROBES) {
    const first = price(votes)?.cents
    for (const again of [votes, votes.toReversed()]) {
      const second = price(again)?.cents
      if (second === first) continue
      throw new Error(
        `method ${name} of '${file}' answered ${shown(first)} and then ${shown(second)} at ${written(votes)}: expected a pure function that ignores the order of votes`,
      )
    }
  }
}

const written = (votes: readonly WeightedPrice[]) =>
  votes.map(({ price, weight }) => `${toText(price)} × ${weight}`).join(', ')

/** Characters of an invalid answer in a message. */
const SHOWN_CHARS = 80
function shown(value: unknown): string {
  const text =
    typeof value === 'bigint'
      ? `${value}n`
      : (JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(value))
  return text.slice(0, SHOWN_CHARS)
}
