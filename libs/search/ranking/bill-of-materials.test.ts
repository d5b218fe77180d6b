import { describe, expect, test } from 'vitest'
import { decideLine, type LineCandidate } from './bill-of-materials.ts'

const candidate = (name: string, unit: string | null = null, cos = 0.5): LineCandidate => ({
  itemId: name,
  names: [name],
  unit,
  score: 1,
  cos,
})
const decide = (text: string, candidates: readonly LineCandidate[], unit: string | null = null) =>
  decideLine({ text, unit }, { candidates, margin: null })

const CEMENTS = [
  candidate('Portland cement CEM II/B-L 32.5 N', '25 kg'),
  candidate('Portland cement CEM II/B-L 32.5 N, bag 50 kg', '50 kg'),
]

test.each([
  ['areia fina', 'Areia média lavada'],
  ['arena fina para enlucido', 'Arena gruesa de cantera'],
  ['fine sand', 'Coarse sand'],
  ['sable fin 0/2', 'Sable moyen 0/2'],
  ['sabbia fine', 'Sabbia grossa'],
  ['feiner Sand', 'Grobsand'],
])('%s is never %s', (text, other) => {
  expect(decide(text, [candidate(other, 't', 0.95)], 't')).toMatchObject({
    status: 'unmatched',
    reason: 'designation_differs',
  })
})

test.each([
  ['Helper', 'ELECTRICIAN HELPER'],
  ['Ayudante', 'Ayudante de albañil'],
])('%s of no trade leaves %s to a person', (text, name) => {
  expect(decide(text, [candidate(name, 'h', 0.95)], 'h')).toMatchObject({ status: 'ambiguous' })
})

describe('however sure search is of the item, a person decides', () => {
  const sure = (text: string, name: string, cos: number, unit = 'u') =>
    decideLine(
      { text, unit, headFirst: text, inFull: text },
      { candidates: [{ ...candidate(name, unit, cos), score: 1.6 }], margin: 0.7 },
    )

  test.each([
    ['it shares no word', 'blk 100mm 7N', 'Concrete paving 200x100x80 mm red', 0.7],
    ['it shares few words', 'plasterboard taper edge screwed metal studs joints taped', 'Plasterboard', 0.6],
    ["it lacks the maker's type", 'LUS210Z joist hanger', 'Joist hanger galvanized', 0.9],
    [
      'the line names it only as an addition',
      'inodoro con cisterna empotrada y pulsador',
      'Cisterna empotrada con bastidor',
      0.7,
    ],
    ['its first word is of another thing', 'clips autonivelante', 'Pasta autonivelante', 0.7],
  ])('where %s: %s beside %s', (_, text, name, cos) => {
    expect(sure(text, name, cos)).toMatchObject({ status: 'ambiguous' })
  })

  test.each([
    ['the share of words is great enough', 'plasterboard taper edge', 'Plasterboard tapered', 0.85],
    ["it has the maker's type", 'LUS210Z joist hanger', 'Joist hanger LUS210Z', 0.9],
    ['the line names it first', 'cisterna empotrada con bastidor y pulsador', 'Cisterna empotrada', 0.7],
  ])('and not where %s: %s beside %s', (_, text, name, cos) => {
    expect(sure(text, name, cos)).toMatchObject({ status: 'matched' })
  })
})

describe('a line that names no size or grade', () => {
  const [small, large] = ['Ladrillo hueco doble 24x11,5x8 cm', 'Ladrillo hueco doble 33x16 cm'].map((name, at) => ({
    ...candidate(name, 'u', 0.9),
    score: 2 - at,
  })) as [LineCandidate, LineCandidate]

  test('is left to a person where several sizes are stocked', () => {
    expect(decide('ladrillo hueco doble', [small, large], 'u')).toMatchObject({
      status: 'ambiguous',
      alternatives: [{ itemId: large.itemId }],
    })
  })

  test('is left to a person also where one vendor names one size by these words alone', () => {
    const named = { ...small, names: [...small.names, 'Ladrillo hueco doble'] }
    expect(decide('ladrillo hueco doble', [named, large], 'u').status).toBe('ambiguous')
  })

  test('is matched where one size is stocked, and where it names one of several', () => {
    expect(decide('ladrillo hueco doble', [small], 'u').status).toBe('matched')
    expect(decide('ladrillo hueco doble 33x16 cm', [small, large], 'u')).toMatchObject({
      status: 'matched',
      best: { itemId: large.itemId },
    })
  })

  test('is left to a person where several grades are stocked, however special a name is', () => {
    const [one, other] = ['Cement CEM II/A-L 42.5 R', 'General purpose cement CEM II/B-L 32.5 N'].map((name, at) => ({
      ...candidate(name, '25 kg'),
      score: 2 - at,
    })) as [LineCandidate, LineCandidate]
    expect(decide('cement 25 kg', [one, other]).status).toBe('ambiguous')
    expect(decide('cement CEM II/A-L 42.5 R 25 kg', [one, other])).toMatchObject({
      status: 'matched',
      best: { itemId: one.itemId },
    })
  })
})

test.each([
  ['hydrated lime 25 kg', 'Natural hydraulic lime NHL 3.5'],
  ['cal hidratada', 'Cal hidráulica natural NHL 5'],
  ['concrete roof tile', 'Clay mission roof tile red'],
  ['teja de hormigón', 'Teja cerámica mixta roja'],
  ['concrete blocks', 'Concrete block paving red'],
  ['tábua aparelhada de pinus', 'Tábua não aparelhada de pinus'],
  ['tábua não aparelhada de pinus', 'Tábua aparelhada de pinus'],
  ['haste de aterramento com conector', 'Haste de aterramento sem conector'],
])('%s denies or excludes %s', (text, name) => {
  expect(decide(text, [candidate(name, null, 0.95)])).toMatchObject({ reason: 'designation_differs' })
})

test.each([
  ['hydrated lime', 'Hydrated lime CL 90'],
  ['clay roof tile', 'Roof tile'],
  ['concrete paver block', 'Concrete paver block red'],
  ['tábua não aparelhada de pinus', 'Tábua não aparelhada de pinus bruta'],
])('%s may be %s', (text, name) => {
  expect(decide(text, [candidate(name, null, 0.95)]).status).toBe('matched')
})

describe('the plain item, of which others are special kinds,', () => {
  const plain = candidate('Argamassa colante AC III', 'kg', 0.9)
  test.each([
    ['adds a word', candidate('Argamassa colante AC III flexível', 'kg', 0.9)],
    ['lacks a word of the line', candidate('Argamassa polimérica AC III', 'kg', 0.9)],
  ])('is matched where the other %s', (_, other) => {
    expect(decide('argamassa colante ac iii', [plain, other], 'kg')).toMatchObject({
      status: 'matched',
      best: { itemId: plain.itemId },
    })
  })

  test('is left to a person beside one that is special in another way', () => {
    const [one, other] = ['Argamassa colante interna', 'Argamassa colante externa'].map((name) =>
      candidate(name, 'kg', 0.9),
    )
    const found = decide('argamassa colante', [one as LineCandidate, other as LineCandidate], 'kg')
    expect(found).toMatchObject({ status: 'ambiguous' })
  })
})

describe('a line is matched', () => {
  test.each([
    ['cement 25 kg', 'Portland cement CEM II/B-L 32.5 N'],
    ['cemento 50 kg', 'Portland cement CEM II/B-L 32.5 N, bag 50 kg'],
    ['10 sacos de cemento 25 kg', 'Portland cement CEM II/B-L 32.5 N'],
    ['cement 25 kg CEM II', 'Portland cement CEM II/B-L 32.5 N'],
  ])('%s matches %s', (text, expected) => {
    const { status, best } = decide(text, CEMENTS)
    expect([status, best?.itemId]).toEqual(['matched', expected])
  })

  test.each(['drywall 1/2 in', 'pladur 13 mm', 'Gipskartonplatte 12,5 mm', 'drywall 12,5'])(
    'to a board that is sold as its size: %s',
    (text) => {
      const boards = [candidate('Placa de yeso laminado 1200x2500x12.5 mm'), candidate('Placa de yeso laminado 15 mm')]
      const { status, best } = decide(text, boards)
      expect([status, best?.itemId]).toEqual(['matched', boards[0]?.itemId])
    },
  )

  test.each([
    ['3 cartridges of what is sold by 300 ml', 'silicona sanitaria', 'cartucho', '300 ml', 'matched'],
    ['bags of what is sold by the bag of 25 kg', 'silicona sanitaria', 'saco', '25 kg', 'matched'],
    ['tons of what is sold by the kilogram', 'silicona sanitaria', 'ton', 'kg', 'matched'],
    ['cartridges of what is sold by the piece', 'silicona sanitaria', 'cartucho', 'u', 'matched'],
    ['boxes of what is sold by the piece', 'silicona sanitaria', 'caja', 'u', 'ambiguous'],
    ['bags of what is sold by the kilogram', 'silicona sanitaria', 'saco', 'kg', 'ambiguous'],
    ['bags of what is sold by the metre', 'silicona sanitaria', 'saco', 'm', 'ambiguous'],
  ])('by its unit: %s', (_, text, unit, sold, status) => {
    expect(decide(text, [candidate('Silicona sanitaria', sold, 0.8)], unit).status).not.toBe('unmatched')
    const other = `${text} blanca`
    expect(decide(other, [candidate('Silicona sanitaria blanca', sold, 0.8)], unit).status).toBe(status)
  })

  test('in the size that names leave open beside one that they state', () => {
    const bars = [
      candidate('Varilla corrugada 3/8" grado 42', 'u', 0.9),
      candidate('Varilla corrugada 1/2" grado 42', 'u', 0.9),
    ]
    const { status, best, alternatives } = decide('varilla corrugada 3/8" tramo 12 m', bars)
    expect([status, best?.itemId, alternatives]).toEqual(['ambiguous', bars[0]?.itemId, []])
  })

  test('where search is sure of the first, and not where it is another thing', () => {
    const taps = [
      { ...candidate('Grifo termostático de ducha', 'u', 0.9), score: 1.6 },
      { ...candidate('Grifo temporizado para ducha', 'u', 0.88), score: 1.1 },
    ]
    expect(decide('grifo ducha', taps).status).toBe('matched')
    expect(
      decide('grifo ducha', [taps[0] as LineCandidate, { ...(taps[1] as LineCandidate), score: 1.5 }]).status,
    ).toBe('ambiguous')
    expect(decide('grifo ducha', [{ ...(taps[0] as LineCandidate), isThing: false }]).status).toBe('ambiguous')
  })

  test('where search alone is sure: the thing, far above the floor and the next item', () => {
    const hires = [
      { ...candidate('Aluguel de miniescavadeira 2 t sem operador', 'day', 0.3), score: 1 },
      { ...candidate('Miniescavadeira 2 t com operador', 'h', 0.3), score: 0.6 },
    ]
    const [first, second] = hires as [LineCandidate, LineCandidate]
    const status = (candidates: readonly LineCandidate[], margin: number | null) =>
      decideLine({ text: 'locação miniescavadeira diaria', unit: null }, { candidates, margin }).status
    expect(status(hires, 0.4)).toBe('matched')
    expect(status(hires, 0.1)).toBe('ambiguous')
    expect(status(hires, null)).toBe('ambiguous')
    expect(status([first, { ...second, score: 0.9 }], 0.4)).toBe('ambiguous')
    expect(status([{ ...first, isThing: false }, second], 0.4)).toBe('ambiguous')
  })

  test('and open where search puts another fitting item clearly first, or would find nothing', () => {
    const [screed, mesh] = [
      { ...candidate('Firme con malla 6x6-10/10', 'm²', 0.9), score: 1 },
      { ...candidate('Malla electrosoldada rollo', 'm²', 0.9), score: 1.3 },
    ]
    const status = (candidates: readonly LineCandidate[], margin: number) =>
      decideLine({ text: 'malla 6x6-10/10', unit: 'm2' }, { candidates, margin }).status
    expect(status([mesh, screed], 0.5)).toBe('ambiguous')
    expect(status([{ ...mesh, score: 1.05 }, screed], 0.5)).toBe('matched')
    expect(status([screed], -0.1)).toBe('ambiguous')
  })

  test('to the one of two items of one name that is sold by the unit of the line', () => {
    const tubes = ['3 m', 'm'].map((unit) => ({ ...candidate('Tubo PVC 110 mm serie B', unit, 0.8), itemId: unit }))
    const { status, best } = decide('tubo pvc 110 mm serie B', tubes, 'm')
    expect([status, best?.itemId]).toEqual(['matched', 'm'])
  })

  test('by the plain words of a short name', () => {
    const boards = [candidate('Placa de yeso laminado 13 mm', 'm²', 0.2), candidate('Perfil pladur', 'm', 0.2)]
    const line = { text: 'PYL 13', unit: 'm2' }
    expect(decideLine(line, { candidates: boards, margin: null }).status).toBe('unmatched')
    const read = { ...line, thing: 'placa de yeso laminado 13' }
    expect(decideLine(read, { candidates: boards, margin: null })).toMatchObject({
      status: 'matched',
      best: { itemId: boards[0]?.itemId },
    })
  })

  test('by its own name, however near other items are', () => {
    const blocks = [
      candidate('Bloque de hormigón 40x20x20 cm', 'u', 0.9),
      candidate('Bloque hueco de hormigón 40x20x20 cm', 'u', 0.9),
    ]
    expect(decide('Bloque hueco de hormigón 40x20x20 cm', blocks).best?.itemId).toBe(blocks[1]?.itemId)
    expect(decide('BLOQUE HUECO HORMIGÓN DE 40X20X20 CM', blocks).status).toBe('matched')
    // Two items of one name stay a choice.
    const twins = [candidate('Cemento gris', '25 kg'), { ...candidate('Cemento gris', '50 kg'), itemId: 'other' }]
    expect(decide('Cemento gris', twins).status).toBe('ambiguous')
  })

  test('by any name of the item, and by none where one of them states another grade', () => {
    const cement = {
      ...candidate('Portland cement CEM II/B-L 32.5 N', '25 kg', 0.3),
      names: ['Cement CEM II 32.5 N', 'Cemento gris'],
    }
    expect(decide('cemento gris', [cement]).status).toBe('matched')
    expect(decide('cemento gris 52,5 R', [cement]).reason).toBe('designation_differs')
  })

  test('by meaning alone, above the least cosine', () => {
    expect(decide('Ziegelstein', [candidate('Facing brick', 'u', 0.8)]).status).toBe('matched')
  })

  test('where the name ends in a number and the unit starts with one', () => {
    expect(decide('sand 0/4', [candidate('Sand 0/4', 'kg')]).status).toBe('matched')
  })

  test('with a quantity in a unit that converts', () => {
    expect(decide('cement 25 kg', CEMENTS, 't').best?.evidence.unit).toBe('convertible')
    expect(decide('cement 25 kg', CEMENTS, '25 kg').best?.evidence.unit).toBe('equal')
  })

  test.each(['ml', 'ML.', 'm.l.'])('with the linear metre that lists write as %s', (unit) => {
    const { status, best } = decide('cable RV-K 3x1.5', [candidate('Cable RV-K 3x1.5 mm²', 'm')], unit)
    expect([status, best?.evidence.unit]).toEqual(['matched', 'equal'])
  })
})

describe('similar items are not confused', () => {
  const CABLES = [candidate('Cable RV-K 3x1.5 mm²', 'm'), candidate('Cable RV-K 3x2.5 mm²', 'm')]
  test.each([
    ['cable 3x1.5', 0],
    ['cable 3x2.5', 1],
    ['cable 3G2,5', 1],
  ])('%s matches its own item', (text, at) => {
    const { status, best, alternatives } = decide(text, CABLES)
    expect([status, best?.itemId, alternatives]).toEqual(['matched', CABLES[at]?.itemId, []])
  })

  test.each([
    ['cement 25 lb', 'size_differs'],
    ['cement 40 kg', 'size_differs'],
    ['black cement 25 kg', 'designation_differs'],
  ])('%s matches none of them', (text, reason) => {
    const white = candidate('White cement 25 kg', '25 kg')
    const { status, best, ...rest } = decide(text, [white, ...CEMENTS.slice(1)])
    expect([status, best, rest.reason]).toEqual(['unmatched', null, reason])
  })

  test.each([
    ['Demolición de solera de hormigón', 'Solera de hormigón', 'm2'],
    ['Dépose de câble souterrain', 'Pose de câble souterrain', 'm'],
    ['Peón ordinario', 'Oficial 1ª albañil', 'h'],
    ['Excavadora 20 t sin maquinista', 'Excavadora 20 t con maquinista', 'h'],
  ])('%s is of another kind than %s, which is no candidate either', (text, other, unit) => {
    expect(decide(text, [candidate(other, unit, 0.95)], unit)).toMatchObject({
      status: 'unmatched',
      reason: 'designation_differs',
    })
  })

  test('silence means something where the item says nothing, and the line leaves it open', () => {
    const status = (text: string, other: string) => decide(text, [candidate(other, 'kg', 0.95)], 'kg').status
    expect(status('Corrugado B500S galvanizado 12 mm', 'Corrugado B500S 12 mm')).toBe('unmatched')
    expect(status('Corrugado B500S 12 mm', 'Corrugado B500S galvanizado 12 mm')).not.toBe('unmatched')
  })

  test.each([
    ['Lavabo negro 60 cm', 'Instalación de lavabo negro 60 cm', 'ud'],
    ['Instalación de plato de ducha 80 x 80', 'Plato de ducha 80 x 80', 'ud'],
    ['Baldosa de gres 30 x 30', 'Solado de baldosa de gres 30 x 30', 'm2'],
    ['Carrelage grès cérame 60 x 60', 'Pose de carrelage grès cérame 60 x 60', 'm2'],
    ['Bodenfliese Feinsteinzeug 60 x 60', 'Bodenfliese Feinsteinzeug 60 x 60 verlegen', 'm2'],
  ])('%s stays open beside %s, of which one alone is a work', (text, other, unit) => {
    expect(decide(text, [{ ...candidate(other, unit, 0.95), score: 1.6 }], unit).status).toBe('ambiguous')
  })

  test('a brick by the piece is no wall, whatever its name means elsewhere', () => {
    expect(decide('Tabique rojo 7x14x28', [candidate('Ladrillo rojo 7x14x28', 'u', 0.9)], 'pza').status).toBe('matched')
  })

  test('a length does not match an area', () => {
    expect(decide('skirting', [candidate('Skirting board', 'm²')], 'm').reason).toBe('unit_differs')
  })
})

describe('a line is not matched', () => {
  test.each(['asdf qwer', '12 34', ''])('%j: no item is near', (text) => {
    const { status, reason } = decide(text, [candidate('Portland cement', '25 kg', 0.3)])
    expect([status, reason]).toEqual(['unmatched', 'nothing_near'])
  })

  test('by sizes alone', () => {
    expect(decide('gravel 25 kg', [candidate('Portland cement', '25 kg', 0.2)]).reason).toBe('nothing_near')
  })

  test('but ambiguous, with all alternatives, where several items fit alike', () => {
    const { status, best, alternatives } = decide('cement', CEMENTS)
    expect([status, best?.itemId, alternatives.length]).toEqual(['ambiguous', CEMENTS[0]?.itemId, 1])
  })

  test('but ambiguous where the item lacks a size, which ranks it after an item with it', () => {
    const open = candidate('Portland cement')
    expect(decide('cement 25 kg', [open]).status).toBe('ambiguous')
    expect(decide('cement 25 kg', [open, ...CEMENTS]).best?.itemId).toBe(CEMENTS[0]?.itemId)
  })

  test('but ambiguous for a bag of goods sold by weight', () => {
    expect(decide('sand', [candidate('Sand', 't')], 'bag').status).toBe('ambiguous')
  })
})
