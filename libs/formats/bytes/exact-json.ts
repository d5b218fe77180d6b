/** A JSON number by its own digits, so that prices never pass through a float. */
export class ExactNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

/** Parses JSON with {@link ExactNumber} in place of numbers. Throws SyntaxError, and RangeError for endless nesting. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown)
}

/** The third argument carries the source text; TypeScript's library does not know it yet. */
function reviver(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new ExactNumber(context?.source ?? String(value)) : value
}
