/**
 * Turns texts into unit vectors, or null for a text that holds nothing that can be embedded (codes and numbers only).
 *
 * Promises, held by conformance.ts on every adapter: one answer per text in the order asked; every vector has `dims`
 * components and length 1 (±1e-3); equal texts and fingerprint give equal vectors; an empty list gives an empty list; the
 * least cosine of a query is above 0 and at most 1.
 */
export interface Embedder {
  readonly model: string
  readonly dims: number
  /** Identity of model, revision and normaliser: vectors are comparable only under one fingerprint. */
  readonly fingerprint: string
  /**
   * The least cosine at which a document counts as near to this query, whose vector it is: higher for a query of unknown
   * words, and where a text that is not about building lies nearer to it.
   */
  readonly cosineMin: (query: string, vector: Float32Array) => number
  /**
   * Throws EmbedderUnavailable when the provider fails, times out or is over budget, and the signal's reason when it
   * aborts; never for the built-in.
   */
  embed(
    texts: readonly string[],
    kind: 'query' | 'document',
    signal?: AbortSignal,
  ): Promise<readonly (Float32Array | null)[]>
}

export class EmbedderUnavailable extends Error {
  override name = 'EmbedderUnavailable'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
