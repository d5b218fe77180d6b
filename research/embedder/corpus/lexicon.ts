import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import { type Concept, groupOf, isTrainable, stringsOf } from './concepts.ts'

/**
 * The concepts of our own lexicon as training data, regional words included. Ambiguous terms stay out: a vector cannot
 * say that "placa" means plasterboard only beside another word.
 */
export function lexicon(): Concept[] {
  return lexiconConcepts()
    .map(({ id, terms }): Concept => {
      const strings = stringsOf(terms.flatMap(({ lang, term, isAmbiguous }) => (isAmbiguous ? [] : [[lang, term]])))
      return { id: `lexicon:${id}`, source: 'lexicon', group: groupOf(strings.en?.[0] ?? id), strings }
    })
    .filter(isTrainable)
}
