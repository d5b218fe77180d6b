/** What a verification found. */

export type Rotten = Readonly<{
  /** A scope, or 'static'. */
  place: string
  /** The id of an item, the path of a file, or the part of the copy. */
  name: string
  /** What is wrong with it. */
  problem: string
  isRepaired: boolean
}>

export type Notes = Readonly<{
  /** `isRepaired` is true unless given. */
  add: (rotten: Omit<Rotten, 'isRepaired'> & { readonly isRepaired?: boolean }) => void
  report: () => Findings
}>

export type Findings = Readonly<{
  /** The first ones. */
  rotten: readonly Rotten[]
  /** Numbers of all. */
  found: number
  repaired: number
}>

/** Findings that are named; beyond it they are counted. */
const NAMED_MAX = 1_000

export function openNotes(): Notes {
  const rotten: Rotten[] = []
  let [found, repaired] = [0, 0]
  return {
    add({ isRepaired = true, ...what }) {
      found += 1
      if (isRepaired) repaired += 1
      if (rotten.length < NAMED_MAX) rotten.push({ ...what, isRepaired })
    },
    report: () => ({ rotten, found, repaired }),
  }
}
