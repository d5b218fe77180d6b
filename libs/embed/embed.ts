/**
 * Turns texts into unit vectors, or null for a text that holds nothing that can be embedded (codes and numbers only).
 *
 * Promises, held by conformance.ts on every adapter: one answer per text in the order asked; every vector has `dims`
 * components and length 1 (±1e-3); equal texts and fingerprint give equal vectors; an empty list gives an empty list.
 */
export interface Embedder {
  readonly model: string
  readonly dims: number
  /** Identity of model, revision and normaliser: vectors are comparable only under one fingerprint. */
  readonly fingerprint: string
  /** Throws EmbedderUnavailable when the provider fails, times out or is over budget; never for the built-in. */
  embed(texts: readonly string[], kind: 'query' | 'document'): Promise<readonly (Float32Array | null)[]>
}

export class EmbedderUnavailable extends Error {
  override name = 'EmbedderUnavailable'
  readonly retryAfterSeconds: number
  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
