/**
 * Turns texts into unit vectors, or null for a text without an embeddable word (codes and numbers only).
 *
 * Every adapter keeps these promises, tested by infra/stack/conformance/embedder.ts:
 *
 * - one answer a text, in order; an empty list for an empty list;
 * - vectors of `dims` components and length 1 (±1e-3);
 * - equal vectors for equal texts under one fingerprint.
 */
export interface Embedder {
  readonly model: string
  readonly dims: number
  /** Identity of model, revision and normaliser: vectors are comparable only under one fingerprint. */
  readonly fingerprint: string
  /**
   * Throws EmbedderUnavailable when the provider fails, times out or is over budget, and the signal's reason when it
   * aborts. The built-in embedder throws neither.
   */
  embed(
    texts: readonly string[],
    kind: 'query' | 'document',
    signal?: AbortSignal,
  ): Promise<readonly (Float32Array | null)[]>
  /**
   * Maps a cosine of its vectors to the scale of the built-in model, from which search learned to refuse. Absent: the cosine
   * stays as it is. Throws, with the command to run, while nobody has calibrated the model.
   */
  readonly worthOf?: (cosine: number) => number
}

export class EmbedderUnavailable extends Error {
  override name = 'EmbedderUnavailable'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
