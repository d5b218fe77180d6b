import { divide, parseDecimal, parseRational, type Rational } from '@catalog/core/money/rational.ts'

/**
 * Units of attributes by quantity, each with its exact value in the first unit of the quantity. A pound-force is 0.45359237 kg ×
 * 9.80665 m/s²; a square inch 0.00064516 m². Standards of Latin America state 10 kgf/cm² as 1 MPa: "nominal kgf/cm2".
 */
const QUANTITIES = [
  'MPa = 1, N/mm2 = 1, psi = 8896443230521/1290320000000000, ksi = 8896443230521/1290320000000, kgf/cm2 = 0.0980665, kgf/mm2 = 9.80665, nominal kgf/cm2 = 0.1',
  'mm = 1, cm = 10, m = 1000, in = 25.4, 1/8 in = 3.175, ft = 304.8',
  'mm2 = 1',
  'kg = 1, t = 1000, lb = 0.45359237, US ton = 907.18474',
  'kW = 1, W = 0.001, hp = 0.74569987158227022, CV = 0.73549875',
  'A = 1, mA = 0.001, kA = 1000',
  'V = 1, kV = 1000',
  'm3 = 1, l = 0.001, yd3 = 0.764554857984',
  'kg/m3 = 1, g/m3 = 0.001',
  'g/m2 = 1, kg/m2 = 1000, oz/yd2 = 5669904625/167225472',
  'min = 1',
].map((row) => new Map(row.split(', ').map((unit) => unit.split(' = ') as [unit: string, exact: string])))

/** How many of `to` one of `from` is, exactly. Throws for units of two quantities and for unknown ones. */
export function unitFactor(from: string, to: string, place: string): Rational {
  for (const units of QUANTITIES) {
    const [one, other] = [units.get(from), units.get(to)]
    if (one !== undefined && other !== undefined) return divide(exact(one), exact(other))
  }
  const known = QUANTITIES.map((units) => [...units.keys()].join(', ')).join('; ')
  throw new Error(`${place}: '${from}' in '${to}': expected two units of one quantity of ${known}`)
}

function exact(text: string): Rational {
  return text.includes('/') ? parseRational(text) : parseDecimal(text)
}
