import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { LANGUAGES } from '@catalog/research/embedder/corpus/concepts.ts'
import { corpusFolder, readCorpus } from '@catalog/research/embedder/corpus/corpus.ts'
import { lexicon } from '@catalog/research/embedder/corpus/lexicon.ts'
import { isEvaluated } from '@catalog/research/embedder/corpus/split.ts'
import { openJudging } from '@catalog/research/embedder/evaluation/refusals.ts'
import { placeOf } from '@catalog/research/embedder/evaluation/search-index.ts'
import { type JudgedSigns, RIGHT_GAIN } from './evaluate-questions.ts'

/** Every so many of the held-out names: fewer than half of what a model learns from. */
const EVERY = 4

/**
 * Names of the dev part of the held-out concepts, asked in each language but English among English names: questions whose
 * answer shares no word with them. `folder` holds the real inputs.
 */
export async function heldOutNames(folder: string | undefined): Promise<readonly JudgedSigns[]> {
  const { concepts, heldOut } = readCorpus(corpusFolder(folder), lexicon())
  const { searching, names } = await openJudging(concepts, openBuiltinEmbedder())
  const asked = concepts
    .filter((concept) => isEvaluated(concept) && heldOut.dev.has(concept.id))
    .flatMap(({ id, strings }) =>
      LANGUAGES.flatMap((language) => {
        const [name, right] = [strings[language]?.[0], strings.en?.[0]]
        return language === 'en' || name === undefined ? [] : [{ id: `${id} ${language}`, name, right }]
      }),
    )
    .filter((_, i) => i % EVERY === 0)
  const judged: JudgedSigns[] = []
  for (const { id, name, right } of asked) {
    const { considered } = await searching.answer(name, 1)
    const results = considered.map(({ itemId, signs }) => ({
      gain: names[placeOf(itemId)] === right ? RIGHT_GAIN : 0,
      signs,
    }))
    judged.push({ id, isStocked: true, results })
  }
  return judged
}
