import { dotProduct } from './dot-product.ts'
import type { Embedder } from './embed.ts'

/** What a model's cosines are worth on the scale of another model: `slope * cosine + offset`. */
export type Calibration = Readonly<{ slope: number; offset: number }>

/**
 * Learns the worth of a model's cosines from names of unlike things. Two quantiles of their cosines are worth as much as on
 * the scale of the other model. Throws for a model that tells no names apart, and what the embedders throw.
 */
export async function calibrate(
  names: readonly string[],
  { embedder, scale, signal }: { embedder: Embedder; scale: Embedder; signal?: AbortSignal },
): Promise<Calibration> {
  const [low, high] = await quantilesOf(names, embedder, signal)
  const [lowWorth, highWorth] = await quantilesOf(names, scale, signal)
  if (!(high - low >= SPREAD_MIN)) {
    throw new Error(`${embedder.model} tells no names apart: cosines of ${low.toFixed(3)} to ${high.toFixed(3)}`)
  }
  const slope = (highWorth - lowWorth) / (high - low)
  return { slope, offset: lowWorth - slope * low }
}
/** Rounding alone separates nearer ones. */
const SPREAD_MIN = 0.001

/** -1 to 1. */
export function worthOf(cosine: number, { slope, offset }: Calibration): number {
  return Math.max(-1, Math.min(1, slope * cosine + offset))
}

async function quantilesOf(
  names: readonly string[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<readonly [number, number]> {
  const queries = await embedder.embed(names, 'query', signal)
  const documents = await embedder.embed(names, 'document', signal)
  const cosines = queries.flatMap((query, i) =>
    documents.flatMap((document, j) => (i === j || !query || !document ? [] : dotProduct(query, document, 0))),
  )
  cosines.sort((a, b) => a - b)
  const [low, high] = QUANTILES.map((share) => cosines[Math.floor(share * (cosines.length - 1))])
  return [low ?? 0, high ?? 0]
}
/** The median of unlike names, and their nearest hundredth: e5 then refuses as much as the built-in model; at .97, more. */
const QUANTILES = [0.5, 0.99]
