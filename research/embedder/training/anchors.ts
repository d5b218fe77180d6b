import type { Anchors } from '@catalog/embed/builtin/model.ts'
import { packRows } from '@catalog/embed/builtin/rows.ts'
import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import { foreignTopicOf, isBuilding } from '@catalog/research/embedder/corpus/topics.ts'

type Embed = (text: string) => Float32Array | null

/** The anchor texts of a model, as rows of vectors. */
export function anchorsOf(concepts: readonly Concept[], embedText: Embed, dims: number): Anchors {
  const { building, foreign } = fixedVectors(concepts, embedText, dims)
  const rowsOf = (vectors: readonly Float32Array[]) =>
    packRows(Float32Array.from(vectors.flatMap((vector) => [...vector])), dims)
  return { building: rowsOf(building), foreign: rowsOf(foreign.map(({ vector }) => vector)) }
}

export type FixedVectors = Readonly<{
  building: readonly Float32Array[]
  foreign: readonly Readonly<{ topic: string; vector: Float32Array }>[]
}>

/**
 * The direction of the mean of the strings, for each concept that certainly is, or certainly is not, about building.
 */
export function fixedVectors(concepts: readonly Concept[], embedText: Embed, dims: number): FixedVectors {
  const meanOf = ({ strings }: Concept): Float32Array[] => {
    const sum = new Float32Array(dims)
    for (const text of Object.values(strings).flat()) {
      embedText(text)?.forEach((component, d) => {
        sum[d] = (sum[d] as number) + component
      })
    }
    const length = Math.hypot(...sum)
    return length === 0 ? [] : [sum.map((component) => component / length)]
  }
  return {
    building: concepts.filter(isBuilding).flatMap(meanOf),
    foreign: concepts.flatMap((concept) => {
      const topic = foreignTopicOf(concept)
      return topic === null ? [] : meanOf(concept).map((vector) => ({ topic, vector }))
    }),
  }
}
