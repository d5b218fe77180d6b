import { WITHOUT_DECIMALS } from './price-levels.ts'
import type { BookPercentage, SampleRecipe } from './vendors.ts'

/** Start of the price walk in weeks since 1970-01-01: week 2872 begins on 2025-01-16. Earlier prices stand still. */
const FIRST_WEEK = 2872
/** One price in three moves in a week, by 0.5 to 4 %. */
const MOVES_ONE_IN = 3
const MOVE_PER_MILLE = { min: 5, max: 40 }

/** Parts of a currency unit; as integers, rounding and price errors stay exact. */
export const PRICE_PARTS = 10_000

/**
 * The price of a week as a factor of its level: a mean-reverting walk with a step in one week of three. Uses only
 * additions and multiplications, which every machine rounds alike.
 */
export function walk(seed: number, week: number): number {
  let factor = 1
  for (let at = FIRST_WEEK; at <= week; at++) {
    const drawn = mixed(seed, at)
    if (drawn % MOVES_ONE_IN !== 0) continue
    const { min, max } = MOVE_PER_MILLE
    const step = (min + (Math.floor(drawn / 8) % (max - min + 1))) / 1000
    // At 20 % above its level a price only falls; at 20 % below, it only rises.
    const rises = Math.floor(drawn / 4096) % 1000 < 500 - (factor - 1) * 2500
    factor *= rises ? 1 + step : 1 - step
  }
  return factor
}

/** The price in parts, rounded as shops do: to finer steps for small prices, by at most 0.25 %. */
export function roundedPrice(price: number, currency: string): number {
  const parts = price * PRICE_PARTS
  const finest = WITHOUT_DECIMALS.has(currency) ? PRICE_PARTS : 1
  let step = finest
  for (const next of ROUND_STEPS) if (next >= finest && parts >= next * 200) step = next
  return Math.max(step, Math.round(parts / step) * step)
}
/** 0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10 ... of the currency, in parts. */
const ROUND_STEPS = [10, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000]

/** "12.50", "0.385", "1200": with at least the usual decimals of its currency. */
export function decimalText(parts: number, currency: string): string {
  const whole = Math.floor(parts / PRICE_PARTS)
  const fraction = String(parts % PRICE_PARTS)
    .padStart(4, '0')
    .replace(/0{1,2}$/, '')
  return WITHOUT_DECIMALS.has(currency) ? String(whole) : `${whole}.${fraction}`
}

/** 32 well-mixed bits of two numbers, by the finalizer of MurmurHash3: SHA-256 is too slow for thousands of weeks. */
function mixed(seed: number, week: number): number {
  let bits = seed ^ Math.imul(week, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * The price of one unit by its recipe, in parts: each line rounds to cents, half up, and a percentage is a share of the
 * rounded lines before it. Exact in integers, as price books reconcile to the cent.
 */
export function recipePrice(
  { lines, isWork }: SampleRecipe,
  { percentages, priceOf }: { percentages: readonly BookPercentage[]; priceOf: (code: string) => number },
): number {
  const amounts = lines.map(({ code, quantity }) => ({
    code,
    cents: cents(BigInt(priceOf(code)) * millionths(quantity), BigInt(PRICE_PARTS) * MILLION),
  }))
  for (const { code, rate } of isWork ? percentages : []) {
    const mask = code.slice(0, code.indexOf('%'))
    const base = amounts.filter((line) => line.code.startsWith(mask)).reduce((sum, line) => sum + line.cents, 0n)
    amounts.push({ code, cents: cents(base * millionths(String(rate)), 100n * MILLION) })
  }
  return Number(amounts.reduce((sum, line) => sum + line.cents, 0n)) * (PRICE_PARTS / 100)
}
const MILLION = 1_000_000n

/** A fraction of a currency unit in cents, half up. */
function cents(n: bigint, d: bigint): bigint {
  return (200n * n + d) / (2n * d)
}

/** A plain decimal with up to six decimals. */
function millionths(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  if (!/^\d+$/.test(whole) || !/^\d{0,6}$/.test(fraction))
    throw new RangeError(`'${decimal}': expected up to six decimals`)
  return BigInt(whole) * MILLION + BigInt(fraction.padEnd(6, '0'))
}
