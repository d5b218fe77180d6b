import type { Question } from '@catalog/search/query/question.ts'

/** A question with how far its best result lies above the floor of answers (null: found by words alone). */
export type AskedMargin = Readonly<{
  isStocked: boolean
  margin: number | null
  question: Pick<Question, 'concepts' | 'sizes' | 'attributes'>
}>

/** Points by which the floor is moved. */
const SHIFTS = [-0.3, -0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.2, 0.3]

/** Kinds of query that the code can tell before it searches. */
const KINDS: Readonly<Record<string, (question: AskedMargin['question']) => boolean>> = {
  all: () => true,
  'thing known': ({ concepts }) => concepts.length > 0,
  'thing unknown': ({ concepts }) => concepts.length === 0,
  'size stated': ({ sizes }) => sizes.length > 0,
  'no size': ({ sizes }) => sizes.length === 0,
}

export type CurvePoint = Readonly<{
  kind: string
  /** Points added to the floor; 0 is the present one. */
  shift: number
  questions: number
  refusedRightly: number
  refusedWrongly: number
}>

/** What other floors would refuse of what is not stocked (rightly) and of what is (wrongly), by kind of query. Pure. */
export function refusalCurve(asked: readonly AskedMargin[]): readonly CurvePoint[] {
  return Object.entries(KINDS).flatMap(([kind, isOfKind]) => {
    const of = asked.filter(({ question }) => isOfKind(question))
    return SHIFTS.map((shift) => {
      const share = (isStocked: boolean) => {
        const group = of.filter((each) => each.isStocked === isStocked)
        return group.filter(({ margin }) => margin !== null && margin < shift).length / Math.max(1, group.length)
      }
      return { kind, shift, questions: of.length, refusedRightly: share(false), refusedWrongly: share(true) }
    })
  })
}
