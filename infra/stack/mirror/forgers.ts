import { type ModelOrigin, openModelOrigin } from './mirror-model.ts'
import { type ModelAnswer, modelSigning } from './origin-documents.ts'

/** Origins in the place of the right one, which no mirror that knows the right one may follow. */

export const FORGERIES = [
  /** A later generation without an item, of the catalog's id, by a key of its own. */
  'emptied',
  /** The present generation with other items, in the name of the right key. */
  'rewritten',
  /** The right documents without signatures. */
  'unsigned',
  /** The right documents, for a client whose clock is long after them. */
  'frozen',
] as const
export type Forgery = (typeof FORGERIES)[number]
export type Forgers = Readonly<Record<Forgery, (url: string) => ModelAnswer>>

export function openForgers(origin: ModelOrigin, { pageSize, now }: { pageSize: number; now: () => Date }): Forgers {
  const emptied = openModelOrigin({ pageSize, signing: modelSigning(now) })
  const rewritten = openModelOrigin({ pageSize, signing: modelSigning(now) })
  return {
    emptied(url) {
      while (emptied.gen() <= origin.gen()) emptied.resize(pageSize)
      return emptied.answer(url)
    },
    rewritten(url) {
      while (rewritten.gen() < origin.gen()) rewritten.resize(pageSize)
      while (rewritten.head('items') < origin.head('items')) {
        rewritten.publish({ item: 0, cents: Number(rewritten.head('items')) + 1_000, regions: ['ES'], name: 'Forged' })
      }
      const answer = rewritten.answer(url)
      if (!url.endsWith('/state.json')) return answer
      const key = stateOf(origin.answer(url)).signatures[0]?.key as string
      const { signatures, ...said } = stateOf(answer)
      return { ...answer, body: jsonOf({ ...said, signatures: signatures.map((by) => ({ ...by, key })) }) }
    },
    unsigned(url) {
      const answer = origin.answer(url)
      if (!url.endsWith('/state.json')) return answer
      const { signatures: _signatures, ...said } = stateOf(answer)
      return { ...answer, body: jsonOf(said) }
    },
    frozen: (url) => origin.answer(url),
  }
}

type State = Readonly<{ signatures: readonly Readonly<{ key: string; signature: string }>[] }>
const stateOf = ({ body }: ModelAnswer) => JSON.parse(body.toString()) as State
const jsonOf = (value: object) => Buffer.from(JSON.stringify(value))
