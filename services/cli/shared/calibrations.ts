import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { type Calibration, calibrate, worthOf } from '@catalog/embed/calibration.ts'
import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { OperationContext } from '@catalog/operations/catalog.ts'
import { readMeta, saveMeta } from '@catalog/store/checkpoints.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { Terminal } from './terminal.ts'

/** The store keeps a calibration for each fingerprint. A new built-in model is another scale. */
const keyOf = ({ fingerprint }: Embedder) => `calibration ${fingerprint} ${openBuiltinEmbedder().fingerprint}`

/** The embedder with the worth of its cosines, as it is stored now. */
export async function calibrated(embedder: Embedder, store: Queryable): Promise<Embedder> {
  const stored = await readMeta(store, keyOf(embedder))
  const calibration = stored === undefined ? null : (JSON.parse(stored) as Calibration)
  return {
    ...embedder,
    worthOf(cosine) {
      if (calibration === null) throw new Error(UNCALIBRATED)
      return worthOf(cosine, calibration)
    },
  }
}
const UNCALIBRATED =
  'the model of EMBEDDINGS_URL is not calibrated: run catalog embedder calibrate once, with the same environment'

/** Replaces the former calibration; a catalog that is open keeps the one that it read. */
export async function saveCalibration(store: Queryable, embedder: Embedder, calibration: Calibration): Promise<void> {
  await saveMeta(store, keyOf(embedder), JSON.stringify(calibration))
}

/** Throws, with the command to run, for a provider that was not calibrated when the catalog was opened. */
export function expectCalibrated({ worthOf }: Embedder): void {
  worthOf?.(0)
}

/** `catalog embedder calibrate`. Throws for the built-in model, and what {@link calibrate} throws. */
export async function calibrateEmbedder({
  catalog: { embedder, store, spending },
  terminal,
  signal,
}: Pick<OperationContext, 'catalog' | 'signal'> & { terminal: Terminal }): Promise<void> {
  if (spending === null) throw new Error('the built-in model needs no calibration: expected EMBEDDINGS_URL')
  const names = namesOfThings()
  const calibration = await calibrate(names, { embedder, scale: openBuiltinEmbedder(), signal })
  await saveCalibration(store, embedder, calibration)
  const { model, fingerprint } = embedder
  const [slope, offset] = [calibration.slope.toFixed(2), calibration.offset.toFixed(2)]
  terminal.answer(
    { model, fingerprint, names: names.length, ...calibration },
    () => `${model} is calibrated by ${names.length} names: a cosine is worth ${slope} times itself, plus ${offset}`,
  )
}

/** A name of every fourth thing of the lexicon, by turns in all languages and countries. */
function namesOfThings(): readonly string[] {
  return lexiconConcepts()
    .filter(({ pos }, i) => pos === 'noun' && i % 4 === 0)
    .flatMap(({ terms }, i) => terms[i % terms.length]?.term ?? [])
}
