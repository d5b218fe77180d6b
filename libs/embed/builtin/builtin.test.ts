import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import { cosine, describeEmbedder } from '@catalog/stack/conformance/embedder.ts'
import { describe, expect, test } from 'vitest'
import { openBuiltinEmbedder } from './builtin.ts'

describeEmbedder('built-in', async () => openBuiltinEmbedder())

const embedder = openBuiltinEmbedder()
const embed = async (text: string) => (await embedder.embed([text], 'query'))[0] ?? null
const likeness = async (a: string, b: string) => cosine(await embed(a), await embed(b))

/** Names as vendors write them, three of them plasterboard. */
const NAMES = [
  'Placa de yeso laminado estándar BA 13 borde afinado',
  'Plasterboard sheets, tapered edge, 12.5 mm',
  'Plaque de plâtre standard BA13 2500x1200',
  'Hormigón HA-25/B/20/IIa fabricado en central',
  'Barra corrugada B 500 S de 12 mm de diámetro',
  'Malla electrosoldada ME 15x15 Ø 5-5',
  'Ladrillo cerámico hueco doble 24x11,5x8 cm',
  'Mortero industrial M-5 en sacos de 25 kg',
  'Yeso de construcción YG en sacos',
  'Pintura plástica interior mate blanca 15 l',
  'Azulejo blanco liso 20x20 cm',
  'Tubo de PVC de evacuación Ø 110 mm',
  'Lana de roca 40 kg/m3, e = 50 mm',
  'Tornillo autorroscante 3,5x25 mm',
  'Ventana de aluminio abatible 120x120',
  'Ready-mixed concrete C25/30',
  'Portland cement 42.5 N, bagged',
  'Gypsum finishing plaster 25 kg',
  'Softwood sawn timber 50 x 100 mm',
  'Plywood WBP 18 mm',
  'Galvanised steel stud 70 mm',
  'Copper tube 22 mm table X',
  'Excavator, tracked, 20 t',
  'Skilled bricklayer, hourly rate',
  'Interior emulsion paint, white',
  'Telha cerâmica portuguesa',
  'Cimento CP II-E-32 50 kg',
  'Vergalhão CA-50 10 mm',
  'Porta de madeira lisa 80x210',
  'Areia média lavada',
  'Bloc béton creux 20x20x50',
  'Laine de verre 100 mm kraft',
  'Peinture glycéro satinée',
  'Carrelage grès cérame 60x60',
  'Parpaing plein 10x20x50',
  'Kalksandstein KS 12-1,8 2 DF',
  'Mineralwolle WLG 035 120 mm',
  'Zementestrich CT-C25-F4',
  'Fenster Kunststoff weiß 100x120',
  'Dachziegel Ton naturrot',
  'Malta cementizia premiscelata',
  'Guaina bituminosa 4 mm ardesiata',
  'Piastrella in gres porcellanato',
]
const PLASTERBOARD = NAMES.slice(0, 3)

async function nearestName(query: string): Promise<string> {
  const vector = await embed(query)
  const names = await embedder.embed(NAMES, 'document')
  const cosines = names.map((name) => cosine(vector, name))
  return NAMES[cosines.indexOf(Math.max(...cosines))] as string
}

describe('across languages and regions', () => {
  test.each([
    'pladur 13 mm',
    'drywall 1/2 in',
    'placa de yeso laminado',
    'Gipskartonplatte',
    'plaque de plâtre',
    'drywall 12,5',
    'tablaroca',
    'gesso acartonado',
    'lastra di cartongesso',
  ])('%s finds plasterboard first', async (query) => {
    expect(PLASTERBOARD).toContain(await nearestName(query))
  })

  test.each([
    ['varilla corrugada 1/2"', 'Vergalhão CA-50 10 mm'],
    ['vergalhões', 'Vergalhão CA-50 10 mm'],
    ['scavatrice pelle mécanique', 'Excavator, tracked, 20 t'],
    ['lana minerale', 'Mineralwolle WLG 035 120 mm'],
    ['Hochlochziegel', 'Ladrillo cerámico hueco doble 24x11,5x8 cm'],
    ['lã de vidro', 'Laine de verre 100 mm kraft'],
    ['membrana asfáltica', 'Guaina bituminosa 4 mm ardesiata'],
    ['albañil', 'Skilled bricklayer, hourly rate'],
    ['contrachapado', 'Plywood WBP 18 mm'],
  ])('%s finds %s', async (query, name) => {
    expect(await nearestName(query)).toBe(name)
  })

  test('a term is found in the plural and with other function words', async () => {
    const singular = await likeness('Gipskartonplatte', 'placa de yeso')
    expect(await likeness('Gipskartonplatten', 'placas yeso')).toBeGreaterThan(singular * 0.9)
  })

  test('cement mortar is nearer to mortar than to cement, despite the shared word', async () => {
    const mortar = await likeness('mortero de cemento', 'Mörtel')
    expect(mortar).toBeGreaterThan(0.7)
    expect(mortar).toBeGreaterThan((await likeness('mortero', 'Zement')) + 0.3)
  })
})

describe('by spelling', () => {
  test('a misspelled word or one with another ending stays near', async () => {
    expect(await likeness('catalizador bicomponente', 'catalizador bicomponemte')).toBeGreaterThan(0.6)
    expect(await likeness('Verbindungselement', 'Verbindungselemente')).toBeGreaterThan(0.6)
  })

  test('numbers and codes do not count, so size variants are equal', async () => {
    expect(await likeness('Viga IPE 200', 'Viga IPE 300')).toBeCloseTo(1, 5)
  })
})

test('terms of one noun of the lexicon lie near each other, except a few brands and homonyms', async () => {
  const nouns = lexiconConcepts().filter(({ pos }) => pos === 'noun')
  expect(nouns.length).toBeGreaterThanOrEqual(120)
  let [near, all] = [0, 0]
  for (const { terms } of nouns) {
    const [first, ...others] = terms.filter(({ term, isAmbiguous }) => !isAmbiguous && /^[^0-9]+$/.test(term))
    const home = await embed((first as (typeof terms)[number]).term)
    for (const { term } of others) {
      all++
      if (cosine(home, await embed(term)) > 0.35) near++
    }
  }
  // The model has not learned the newest words yet.
  expect(near / all).toBeGreaterThan(0.94)
})
