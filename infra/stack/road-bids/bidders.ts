import { hashOf, shareOf } from '@catalog/sample-files/seeded-random.ts'

/** A legal bidder. Its name stands in each letting as one of the spellings, which differ in punctuation, case and legal form. */
export type Bidder = Readonly<{ spellings: readonly string[] }>

export const BIDDERS = 80
const PLACES =
  'AMBERFIELD BIRCHWOOD CEDARLINE DOVERTON EASTMERE FALCONHURST GRANTLEY HOLLOWAY IRONDALE JUNIPERTON'.split(' ')
const TRADES = [
  'CONTRACTORS',
  'PAVING',
  'BRIDGE & ROAD',
  'EXCAVATING',
  'ASPHALT',
  'CONSTRUCTION',
  'GRADING',
  'MATERIALS',
]
/** Legal forms, each as bid tabs spell it. */
const FORMS: readonly (readonly string[])[] = [
  [', L.P.', ' LP', ', LP', ' L.P.'],
  [', INC.', ' INC', ', Inc.', ' INCORPORATED'],
  [', LLC', ' LLC', ', L.L.C.', ' L.L.C.'],
  [' CO., INC.', ' CO INC', ' COMPANY, INC.', ' Co., Inc.'],
  [' CORP.', ' CORPORATION', ' CORP', ', Corp.'],
]

/** 80 invented bidders; a fifth of them keep one spelling. */
export function bidders(): readonly Bidder[] {
  return PLACES.flatMap((place) => TRADES.map((trade) => bidderNamed(`${place} ${trade}`)))
}

function bidderNamed(name: string): Bidder {
  const form = FORMS[hashOf('form', name) % FORMS.length] as readonly string[]
  const spelled = form.map((ending, i) => {
    const cased = i === 2 ? name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : name
    return `${i === 3 ? cased.replace('&', 'AND') : cased}${ending}`
  })
  return { spellings: shareOf('spellings', name) < 0.2 ? spelled.slice(0, 1) : spelled }
}
