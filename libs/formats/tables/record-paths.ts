import { type JsonMember, type JsonPlace, kindAt, membersAt } from './json-text.ts'

/** Paths to the records of a JSON document: "data.items", "queryResults[*].records[*]", "[*].variants[*]". */

/** A step of a path: into a member by its key, or into each element of an array. */
type Step = Readonly<{ key: string }> | 'each'

export function hasEach(path: string): boolean {
  return path.includes('[*]')
}

function stepsOf(path: string): readonly Step[] {
  return path.split('.').flatMap((part): Step[] => {
    const [key = '', ...each] = part.split('[*]')
    return [...(key === '' ? [] : [{ key }]), ...each.map(() => 'each' as const)]
  })
}

/** An element at a path, with the objects that it stands in, each by its path: "products[*]". */
export type Placed = JsonMember & Readonly<{ parents: readonly (JsonPlace & Readonly<{ path: string }>)[] }>

/** The elements at a path, in text order; none where a step leads nowhere. Throws BadJson. */
export function* elementsAt(text: string, root: JsonPlace, path: string): Generator<Placed, void, undefined> {
  const steps = stepsOf(path)
  yield* walk({ place: { ...root, key: '', from: root.at }, path: '', parents: [] }, 0)

  type Walked = Readonly<{ place: JsonMember; path: string; parents: Placed['parents'] }>
  function* walk({ place, path: walked, parents }: Walked, at: number): Generator<Placed, void, undefined> {
    const step = steps[at]
    if (step === undefined) {
      yield { ...place, parents }
      return
    }
    if (step !== 'each') {
      let last: JsonMember | undefined
      if (kindAt(text, place.at) === 'object')
        for (const one of membersAt(text, place.at)) if (one.key === step.key) last = one
      if (last === undefined) return
      yield* walk({ place: last, path: walked === '' ? step.key : `${walked}.${step.key}`, parents }, at + 1)
      return
    }
    if (kindAt(text, place.at) !== 'array') return
    const path = `${walked}[*]`
    for (const member of membersAt(text, place.at)) {
      const isLast = at === steps.length - 1
      const above = isLast || kindAt(text, member.at) !== 'object' ? parents : [...parents, { ...member, path }]
      yield* walk({ place: member, path, parents: above }, at + 1)
    }
  }
}

/** A level of the search: the places of one path. */
type Level = Readonly<{ path: string; places: readonly JsonPlace[] }>

const DEPTH_MAX = 8
const PATHS_MAX = 300
/** Objects of each path that are looked at. */
const SAMPLES_MAX = 8

/**
 * The paths of a document that lead to objects, upper ones first, each with some of its objects. Throws BadJson for a
 * text that is no JSON.
 */
export function* objectPaths(text: string, root: JsonPlace): Generator<Level, void, undefined> {
  let level: Level[] = [levelOf(text, { path: '', places: [root] })]
  let paths = 0
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth++) {
    const below = new Map<string, JsonPlace[]>()
    for (const { path, places } of level) {
      const objects = places.filter(({ at }) => kindAt(text, at) === 'object')
      if (objects.length > 0) yield { path: path === '' ? '.' : path, places: objects }
      if (++paths > PATHS_MAX) return
      for (const { at } of objects) {
        for (const member of membersAt(text, at)) {
          const kind = kindAt(text, member.at)
          if ((kind !== 'object' && kind !== 'array') || /[.[\]]/.test(member.key) || member.key === '') continue
          const own = path === '' ? member.key : `${path}.${member.key}`
          const known = below.get(own) ?? []
          if (known.length < SAMPLES_MAX) known.push(member)
          below.set(own, known)
        }
      }
    }
    level = [...below].map(([path, places]) => levelOf(text, { path, places }))
  }
}

/** Arrays become their elements. */
function levelOf(text: string, { path, places }: Level): Level {
  if (!places.some(({ at }) => kindAt(text, at) === 'array')) return { path, places }
  const elements: JsonPlace[] = []
  for (const { at } of places) {
    if (kindAt(text, at) !== 'array') continue
    for (const member of membersAt(text, at)) {
      if (elements.length >= SAMPLES_MAX) break
      elements.push(member)
    }
  }
  return { path: `${path}[*]`, places: elements }
}
