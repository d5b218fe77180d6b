/**
 * The shapes of the specification as data: a field with a type, `?` where it may be absent. Types are alternatives joined by
 * `|`: another shape, `[TYPE]` for a list, `string`, `string ci_` with a prefix, `integer 0..100`, `=literal` and so on.
 */
export type Shapes = Readonly<Record<string, Readonly<Record<string, string>>>>

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Compares values with the shapes, and keeps count of what it saw. */
export function openShapes(shapes: Shapes) {
  /** By field: how many values were seen, and what was wrong with some of them. */
  const tally = new Map(
    Object.entries(shapes).flatMap(([name, types]) =>
      Object.entries(types).map(([field, type]) => [`${name}.${field}`, { type, seen: 0, faults: [] as string[] }]),
    ),
  )
  const counts = { additive: 0, wrong: 0 }

  /** Whether the value is of the type; adds the faults within an object. */
  function isOf(type: string, value: unknown, faults: string[]): boolean {
    const [, listed] = /^\[(.+)\]$/.exec(type) ?? []
    if (listed !== undefined) return Array.isArray(value) && value.every((one) => isOf(listed, one, faults))
    if (type.includes('|')) return type.split('|').some((one) => isOf(one, value, faults))
    if (shapes[type] !== undefined) return addFaults(type, value, faults)
    if (type.startsWith('=')) return value === type.slice(1)
    const [name = '', detail = ''] = type.split(' ')
    if (name === 'null') return value === null
    if (name === 'string' || name === 'boolean') return typeof value === name && String(value).startsWith(detail)
    if (name === 'date-time') return DATE_TIME.test(String(value))
    if (name !== 'integer' && name !== 'number') throw new Error(`type '${type}': expected one that shapes.ts lists`)
    const [min = '', max = ''] = detail.split('..')
    const isNumber = typeof value === 'number' && (name === 'number' || Number.isSafeInteger(value))
    return isNumber && (min === '' || value >= Number(min)) && (max === '' || value <= Number(max))
  }

  function addFaults(name: string, value: unknown, faults: string[]): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = new Map<string, unknown>(Object.entries(value))
    for (const [field, type] of Object.entries(shapes[name] ?? {})) {
      const key = field.replace('?', '')
      const found = given.get(key)
      const counted = tally.get(`${name}.${field}`) as { seen: number; faults: string[] }
      if (found === undefined && field.endsWith('?')) continue
      counted.seen++
      if (!given.delete(key) || !isOf(type, found, faults)) {
        counts.wrong++
        const fault = `${name}.${key}: expected ${type}, found ${JSON.stringify(found)?.slice(0, 100)}`
        counted.faults.push(fault)
        faults.push(fault)
      }
    }
    counts.additive += given.size
    faults.push(...[...given.keys()].map((key) => `${name}.${key}: not in the specification`))
    return true
  }

  return {
    tally,
    /** Keys beside those of the specification, and values that contradict it even where more keys may come. */
    counts,
    faultsOf(name: string, value: unknown): readonly string[] {
      const faults: string[] = []
      return addFaults(name, value, faults) ? faults : [`${name}: expected an object`]
    },
  }
}
