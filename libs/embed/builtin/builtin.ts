import { join } from 'node:path'
import type { Embedder } from '@catalog/embed/embed.ts'
import { type Model, readModel } from './model.ts'

/**
 * The built-in embedder: the trained model of the folder model/, offline, no download, the same bytes everywhere. Read
 * when it is opened first, once a process.
 *
 * Null for a text without a word of letters only: `12 34`, `B500S`, `日本`.
 */
export function openBuiltinEmbedder(): Embedder {
  return embedderOf(builtinModel())
}

/** Its vector of one text, for who cannot wait. */
export function builtinVector(text: string): Float32Array | null {
  return builtinModel().embedText(text)
}

function builtinModel(): Model {
  model ??= readModel(BUILTIN_FOLDER)
  return model
}
let model: Model | undefined

/** A model behind the port. */
export function embedderOf({ dims, fingerprint, cosineMin, embedText }: Model): Embedder {
  return {
    model: 'builtin',
    dims,
    fingerprint,
    cosineMin,
    embed: async (texts) => texts.map(embedText),
  }
}

/** Where the weights lie that libs/embed/train made. */
const BUILTIN_FOLDER = join(import.meta.dirname, '../model')
