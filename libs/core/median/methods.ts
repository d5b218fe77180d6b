import { type Method, TWM_1, TWM_3 } from './median.ts'
import { TWM_2 } from './midmean.ts'

/**
 * The methods that may publish prices. Every process of a catalog has to know them all, because replays recompute old
 * prices by their own method. Window and currency are the same for each; `votes` says which rules guard the votes
 * (reprice.ts).
 */
export const METHODS: readonly Method[] = [TWM_1, TWM_2, TWM_3]

/** The method before any decision, for ever: old logs replay by it. */
export const METHOD_FIRST = TWM_1

/** The method that the first run of a new catalog decides. */
export const METHOD_OF_NEW_CATALOGS = TWM_3

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
