import { notSold } from './product-text.ts'
import { allThings, type Graph, jsonOf, type Thing } from './schema-org.ts'

/** Things that nobody buys by the piece: what they offer is parked by their kind. */
const NOT_SOLD: ReadonlySet<string> = new Set(
  `Course CourseInstance Service FinancialProduct LoanOrCredit Accommodation Apartment House Room HotelRoom Suite Hotel
  LodgingBusiness RealEstateListing Trip TouristTrip JobPosting Reservation RentalCarReservation SoftwareApplication
  MobileApplication WebApplication EducationalOccupationalProgram`.split(/\s+/),
)
/** Event, BusinessEvent, EducationEvent ... */
const EVENT = /Event$/

/** The kind of a thing that is not sold by the piece; null for goods. */
export function notSoldKind({ types }: Thing): string | null {
  return types.find((type) => NOT_SOLD.has(type) || EVENT.test(type)) ?? null
}

type RefusedOffer = Readonly<{
  identities: readonly string[]
  raw: () => string
  result: ReturnType<typeof notSold>
}>

/** The offers of courses, events, services and lodgings, each refused. */
export function notSoldIn(graph: Graph): RefusedOffer[] {
  return [...allThings(graph)].slice(0, THINGS_MAX).flatMap((thing): RefusedOffer[] => {
    const kind = notSoldKind(thing)
    if (kind === null || (thing.properties.offers ?? []).length === 0) return []
    const raw = () => jsonOf(thing, { without: new Set(['review']), charsMax: RAW_CHARS_MAX })
    return [{ identities: [], raw, result: notSold(kind) }]
  })
}
const THINGS_MAX = 1_000
const RAW_CHARS_MAX = 32_768
