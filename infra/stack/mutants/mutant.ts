/** A fault planted in the code as exact texts, which the simulation must find. */
export type Mutant = Readonly<{
  name: string
  /** What it breaks, in a sentence. */
  breaks: string
  edits: readonly Edit[]
  /** The seed that found it last, which the simulation tries first. */
  seed?: number
}>

/** `before` stands exactly once in the file, which lies below the root of the repository. */
export type Edit = Readonly<{ file: string; before: string; after: string }>
