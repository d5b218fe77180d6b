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
  training: readonly Concept[]
  inputs: readonly Input[]
}>

/** Reads the corpus of a folder of training data; throws when a file of it is missing or a held-out concept is gone. */
export function readCorpus(folder: string, lexicon: readonly Concept[]): Corpus {
  const { concepts, inputs } = readSources(folder)
  const heldOut = readHeldOut()
  const held = concepts.filter(({ id }) => heldOut.test.has(id) || heldOut.dev.has(id))
  const expected = heldOut.test.size + heldOut.dev.size
  if (held.length !== expected) throw new Error(`${folder}: ${held.length} held-out concepts, expected ${expected}`)
  return { concepts, heldOut, inputs, training: withoutLeaks([...concepts, ...lexicon], held) }
}

/** The folder that was asked for, else REAL_INPUTS_DIR, else ../shared/data beside the repository. */
export function corpusFolder(asked: string | undefined): string {
  // biome-ignore lint/style/noProcessEnv: a tool of developers, run by itself; the product never reads training data
  const folder = resolve(asked ?? env.REAL_INPUTS_DIR ?? resolve(import.meta.dirname, '../../../../shared/data'))
  if (!existsSync(folder)) throw new Error(`${folder}: expected a folder of training data, name it by --data`)
  return folder
}
