/** A fault planted in the code: exact texts, and who must find it. */
export type Mutant = Readonly<{
  name: string
  /** What it breaks, in a sentence. */
  breaks: string
  edits: readonly Edit[]
  /** The seed that found it last, which the simulation tries first. */
  seed?: number
  /** A test that finds it where the simulation cannot; absent: the simulation must. */
  test?: Readonly<{ file: string; name: string }>
}>

/** `before` stands exactly once in the file, which lies below the root of the repository. */
export type Edit = Readonly<{ file: string; before: string; after: string }>
