import { join } from 'node:path'
import type { Embedder } from '@catalog/embed/embed.ts'
import { type Model, readModel } from './model.ts'

/**
 * The built-in embedder: the trained model of the folder model/, offline and the same on every machine. The first call
 * of a process reads it.
 *
 * Null for a text without a word of letters only: `12 34`, `B500S`, `日本`.
 */
export function openBuiltinEmbedder(): Embedder {
  return embedderOf(builtinModel())
}

/** The built-in vector of one text, synchronously. */
export function builtinVector(text: string): Float32Array | null {
  return builtinModel().embedText(text)
}

/**
 * Whether a folded word stands in the public vocabularies that the built-in model learned from: goods, services and places of
 * all trades in six languages. Wrong for one unknown word in a hundred.
 */
export function isCommonWord(word: string): boolean {
  return builtinModel().knowsWord(word)
}

function builtinModel(): Model {
  model ??= readModel(BUILTIN_FOLDER)
  return model
}
let model: Model | undefined

/** Adapts a model to the Embedder port. */
export function embedderOf({ dims, fingerprint, embedText }: Model): Embedder {
  return {
    model: 'builtin',
    dims,
    fingerprint,
    embed: async (texts) => texts.map(embedText),
  }
}

/** The trained weights. */
const BUILTIN_FOLDER = join(import.meta.dirname, '../model')
