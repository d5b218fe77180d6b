import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Method, WeightedPrice } from '@catalog/core/median/median.ts'
import { METHODS } from '@catalog/core/median/methods.ts'
import { rational, toText } from '@catalog/core/money/rational.ts'

/**
 * The method that is asked for: one of ours by its name, or the default export of a module, which is run as it is, with
 * all that this process may do: whoever names a file vouches for it. What it answers is checked, of probes at once and
 * of items as they come. Throws an error that says what is expected.
 */
export async function methodNamed(
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
  const wrong = faultOf(exported)
  if (wrong !== null) {
    throw new Error(
      `--method '${named}': ${wrong}; expected export default { name: 'mine/1', price: (votes) => ({ cents: 100n }) }`,
    )
  }
  const method = checked(exported as Method, file)
  refuseWhim(method, file)
  return { method, file }
}

/** What keeps an export from being a method. */
function faultOf(exported: unknown): string | null {
  if (typeof exported !== 'object' || exported === null) return 'the module has no default export that is an object'
  const { name, price } = exported as Partial<Record<keyof Method, unknown>>
  if (typeof name !== 'string' || !METHOD_NAME.test(name)) {
    return `name ${shown(name)}: expected a name and a version such as 'mine/1'`
  }
  if (METHODS.some((ours) => ours.name === name)) return `name '${name}' is the name of one of ours`
  return typeof price === 'function' ? null : `price ${shown(price)}: expected a function of the votes`
}

const METHOD_NAME = /^[a-z][a-z0-9-]{0,98}\/[1-9]\d{0,8}$/

async function load(file: string): Promise<{ default?: unknown }> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (cause) {
    throw new Error(`--method '${file}': is no module that can be loaded`, { cause })
  }
}

/** The method with its answers checked; it gets prices and weights alone, and copies of them. */
function checked({ name, price }: Method, file: string): Method {
  return {
    name,
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

/** Null, or what a published amount may be. */
function isPrice(answer: unknown): answer is ReturnType<Method['price']> {
  if (answer === null) return true
  const cents = (answer as { cents?: unknown } | undefined)?.cents
  return typeof cents === 'bigint' && cents >= 0n && cents <= BigInt(Number.MAX_SAFE_INTEGER)
}

/** Votes at which a method is tried before it is let near a catalog. */
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

/** Throws when the method answers the same votes in two ways: it would publish by chance. */
function refuseWhim({ name, price }: Method, file: string): void {
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

/** Characters of an odd answer. */
const SHOWN_CHARS = 80
function shown(value: unknown): string {
  const text =
    typeof value === 'bigint'
      ? `${value}n`
      : (JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? String(value))
  return text.slice(0, SHOWN_CHARS)
}
