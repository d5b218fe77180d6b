/** Parses a whole number of the command line. Throws an error that names the option and its range. */
export function wholeNumber(
  text: string,
  { option, min, max }: Readonly<{ option: string; min: number; max: number }>,
): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new Error(`${option} '${text}': expected a whole number from ${min} to ${max}`)
}

const ROWS_MAX = 10_000
/** Parses the --limit of a listing. */
export const rowLimit = (text: string): number => wholeNumber(text, { option: '--limit', min: 1, max: ROWS_MAX })
