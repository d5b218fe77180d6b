import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { env } from 'node:process'
import { type Concept, withoutLeaks } from './concepts.ts'
import { type Input, readSources } from './sources.ts'
import { type HeldOut, readHeldOut } from './split.ts'

/** The input of training and evaluation: every concept, the frozen split, and the concepts to learn from. */
export type Corpus = Readonly<{
  concepts: readonly Concept[]
  heldOut: HeldOut
  /**
   * Concepts that are not held out and share no string with a held-out one: the training set behind published figures.
   */
  training: readonly Concept[]
  /**
   * All concepts that are not held out, including those that share strings with a held-out one: people also search for
   * "gravel".
   */
  learnable: readonly Concept[]
  inputs: readonly Input[]
}>

/** Reads the corpus of a folder of training data. Throws when a file is missing or a held-out concept is gone. */
export function readCorpus(folder: string, lexicon: readonly Concept[]): Corpus {
  const { concepts, inputs } = readSources(folder)
  const heldOut = readHeldOut()
  const held = concepts.filter(({ id }) => heldOut.test.has(id) || heldOut.dev.has(id))
  const expected = heldOut.test.size + heldOut.dev.size
  if (held.length !== expected) throw new Error(`${folder}: ${held.length} held-out concepts, expected ${expected}`)
  const heldIds = new Set(held.map(({ id }) => id))
  const learnable = [...concepts, ...lexicon].filter(({ id }) => !heldIds.has(id))
  return { concepts, heldOut, inputs, learnable, training: withoutLeaks(learnable, held) }
}

/**
 * The given folder, else REAL_INPUTS_DIR, else the folder shared/data beside the repository. Throws when it does not
 * exist.
 */
export function corpusFolder(asked: string | undefined): string {
  const folder = resolve(asked ?? env.REAL_INPUTS_DIR ?? resolve(import.meta.dirname, '../../../../shared/data'))
  if (!existsSync(folder))
    throw new Error(`${folder}: expected the folder of the real inputs, which REAL_INPUTS_DIR can name`)
  return folder
}
