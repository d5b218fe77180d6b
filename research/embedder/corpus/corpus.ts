import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { env } from 'node:process'
import { type Concept, withoutLeaks } from './concepts.ts'
import { type Input, readSources } from './sources.ts'
import { type HeldOut, readHeldOut } from './split.ts'

/** All that is read for training and evaluation: every concept, the frozen split, and what may be learned from. */
export type Corpus = Readonly<{
  concepts: readonly Concept[]
  heldOut: HeldOut
  /** Neither held out nor with a string that a held-out concept has: what figures need. */
  training: readonly Concept[]
  /** All that is not held out, those with such strings too: what people need who search for "gravel". */
  learnable: readonly Concept[]
  inputs: readonly Input[]
}>

/** Reads the corpus of a folder of training data; throws when a file of it is missing or a held-out concept is gone. */
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

/** The folder that was asked for, else REAL_INPUTS_DIR, else ../shared/data beside the repository. */
export function corpusFolder(asked: string | undefined): string {
  const folder = resolve(asked ?? env.REAL_INPUTS_DIR ?? resolve(import.meta.dirname, '../../../../shared/data'))
  if (!existsSync(folder))
    throw new Error(`${folder}: expected the folder of the real inputs, which REAL_INPUTS_DIR can name`)
  return folder
}
