import { type Basis, votesIn } from '@catalog/core/events/items.ts'
import { parseRational, type Rational, rational } from '@catalog/core/money/rational.ts'
import { type Method, TWM_1, TWM_3, TWM_4 } from './median.ts'
import { TWM_2 } from './midmean.ts'

/**
 * The methods that may publish prices. Every process of a catalog has to know them all, because replays recompute old
 * prices by their own method. Window and currency are the same for each; `votes` says which rules guard the votes
 * (reprice.ts).
 */
export const METHODS: readonly Method[] = [TWM_1, TWM_2, TWM_3, TWM_4]

/** The method before any decision, for ever: old logs replay by it. */
export const METHOD_FIRST = TWM_1

/** The method that the first run of a new catalog decides. */
export const METHOD_OF_NEW_CATALOGS = TWM_4

/** A decision names a method that this version does not have. */
export class UnknownMethod extends Error {
  override name = 'UnknownMethod'
}

/** The method of that name. `decided` says where the name comes from, for the error. Throws UnknownMethod. */
export function knownMethod(name: string, decided: string): Method {
  const known = METHODS.find((method) => method.name === name)
  if (known !== undefined) return known
  const names = METHODS.map((method) => method.name).join(', ')
  throw new UnknownMethod(`method '${name}' of ${decided}: this version knows ${names}; a later one may know it`)
}

/**
 * The exact number, in minor units, behind a published median: the headline, or the one of a market. What is computed from
 * a median starts here, because a cent is a large share of a screw. It is the median itself where the votes of the basis
 * give another one. Throws UnknownMethod.
 */
export function exactMedian(
  median: Readonly<{ cents: number; currency: string }>,
  { basis, region }: { basis: Basis; region: string | undefined },
): Rational {
  const votes = votesIn(basis, region).map(({ price, trust }) => ({ price: parseRational(price), weight: trust }))
  const found = knownMethod(basis.method_version, 'its basis').price(votes)
  return found?.exact !== undefined && Number(found.cents) === median.cents
    ? found.exact
    : rational(BigInt(median.cents))
}
