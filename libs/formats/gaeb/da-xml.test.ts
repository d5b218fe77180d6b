import type { Bill } from '@catalog/formats/bill/bill.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinBid } from './join-bid.ts'
import { readTender } from './read-tender.ts'
import { decimalOf } from './tender-line.ts'

const read = (text: string, format: Parameters<typeof readTender>[1] = 'gaeb-xml') =>
  readTender(bytesSource('b.x83', Buffer.from(text)), format)
const file = (body: string, { phase = '83', info = '', version = '3.3', after = '' } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?><GAEB xmlns="http://www.gaeb.de/GAEB_DA_XML/DA${phase}/${version}"><PrjInfo><Cur>EUR</Cur></PrjInfo>
   <Award><DP>${phase}</DP><BoQ ID="b"><BoQInfo><LblBoQ>House</LblBoQ>${info}</BoQInfo><BoQBody>${body}</BoQBody>${after}</BoQ></Award></GAEB>`
const list = (items: string) => `<Itemlist>${items}</Itemlist>`
const texts = (short: string, long = '') =>
  `<Description><CompleteText><ComplTSA>No</ComplTSA><DetailTxt>${long && `<Text>${long}</Text>`}</DetailTxt><OutlineText><OutlTSA>No</OutlTSA><OutlTxt><TextOutlTxt><p><span>${short}</span></p></TextOutlTxt></OutlTxt></OutlineText></CompleteText></Description>`
const item = (number: string, inner: string, attributes = '') =>
  `<Item ID="i${number}" RNoPart="${number}" ${attributes}>${inner}</Item>`
const MEASURED = '<Qty>2.500</Qty><QU>m2</QU>'

const linesIn = ({ rows }: Bill) => rows.filter((row) => row.kind === 'line')
const shown = (bill: Bill) =>
  bill.rows.map((row) => {
    if (row.kind === 'section') return `${row.level} ${row.code} ${row.text}`
    return row.kind === 'sum' ? `${row.text}: ${row.amount}` : `${row.code} ${row.text} ${row.quantity} ${row.unit}`
  })
const only = async (inner: string, { phase = '83' } = {}) => {
  const [line] = linesIn(await read(file(list(item('1', inner)), { phase })))
  return line as NonNullable<typeof line>
}

describe('a bill in GAEB DA XML', () => {
  test('keeps sections, positions and sums in their order', async () => {
    // given a lot with a section, an index and sums
    const section = `<BoQCtgy ID="c2" RNoPart="02"><LblTx><p><span>Earth</span></p></LblTx><BoQBody>${list(
      item('0010', `${MEASURED}<UP>3.000</UP><IT>7.50</IT>${texts('Dig')}`) +
        item('0010', `${MEASURED}${texts('Fill')}`, 'RNoIndex="A"'),
    )}</BoQBody><Totals><Total>7.50</Total></Totals></BoQCtgy>`
    const lot = `<BoQCtgy ID="c1" RNoPart="01"><LblTx><span>Lot 1</span></LblTx><BoQBody>${section}</BoQBody>
      <Totals><Total>7.50</Total><DiscountPcnt>2.00</DiscountPcnt><TotAfterDisc>7.35</TotAfterDisc><VAT>19.00</VAT><VATAmount>1.40</VATAmount><TotalGross>8.75</TotalGross></Totals></BoQCtgy>`
    // when
    const bill = await read(file(lot, { info: '<Totals><Total>7.50</Total><TotalNet>7.35</TotalNet></Totals>' }))
    // then
    expect(bill).toMatchObject({ title: 'House', currency: 'EUR', total: '7.35', format: 'gaeb-xml', notes: [] })
    expect(shown(bill)).toEqual([
      '1 01 Lot 1',
      '2 01.02 Earth',
      '01.02.0010 Dig 2.5 m2',
      '01.02.0010/A Fill 2.5 m2',
      'Total 01.02: 7.5',
      'Total 01: 7.5',
      'Discount 2 % 01: null',
      'Total after discount 01: 7.35',
      'VAT 19 % 01: 1.4',
      'Total with VAT 01: 8.75',
      'Total: 7.5',
      'Total after discount: 7.35',
    ])
    expect(linesIn(bill)[0]).toMatchObject({ price: '3', amount: '7.5', position: 'b.x83 01.02.0010', problem: null })
  })

  test.each([
    ['<Provis>WithTotal</Provis>', 'yes'],
    ['<Provis>WithoutTotal</Provis>', 'option'],
    ['<Provis>WithoutTotal</Provis><ProvisAccpt>Yes</ProvisAccpt>', 'yes'],
    ['<Provis>WithTotal</Provis><ProvisAccpt>No</ProvisAccpt>', 'option'],
    ['<ALNGroupNo>1</ALNGroupNo><ALNSerNo>0</ALNSerNo>', 'yes'],
    ['<ALNGroupNo>1</ALNGroupNo><ALNSerNo>0</ALNSerNo><Accepted>BasReject</Accepted>', 'no'],
    ['<ALNGroupNo>1</ALNGroupNo><ALNSerNo>2</ALNSerNo>', 'option'],
    ['<ALNGroupNo>1</ALNGroupNo><ALNSerNo>2</ALNSerNo><Accepted>AltAccept</Accepted>', 'yes'],
    ['<NotAppl>Yes</NotAppl>', 'no'],
    ['<NotAppl>No</NotAppl>', 'yes'],
    ['<NotOffered>Yes</NotOffered>', 'no'],
    ['<AlterBidStatus>N/A</AlterBidStatus>', 'no'],
    ['<AlterBidStatus>Modified</AlterBidStatus>', 'yes'],
    ['<CONo>1</CONo><COStatus>Rejected</COStatus>', 'no'],
    ['<CONo>1</CONo><COStatus>Approved</COStatus>', 'yes'],
  ])('counts a position with %s: %s', async (flags, counts) => {
    expect(await only(`${flags}${MEASURED}${texts('Dig')}`)).toMatchObject({ counts })
  })

  test.each([
    ['<NotApplBoQ>Yes</NotApplBoQ>', 'no'],
    ['<ALNBGroupNo>1</ALNBGroupNo><ALNBSerNo>1</ALNBSerNo>', 'option'],
  ])('counts the positions of a section with %s: %s', async (flags, counts) => {
    const inner = list(item('1', MEASURED + texts('Dig')))
    const bill = await read(file(`<BoQCtgy ID="c" RNoPart="1">${flags}<BoQBody>${inner}</BoQBody></BoQCtgy>`))
    expect(linesIn(bill)).toMatchObject([{ counts }])
  })

  test('leaves an open quantity open, and says so', async () => {
    expect(await only(`<QtyTBD>Yes</QtyTBD><QU>m3</QU>${texts('Dig')}`)).toMatchObject({
      quantity: null,
      problem: 'the quantity is open: expected the bidder to state it',
    })
    expect(await only(`<QtyTBD>Yes</QtyTBD><Qty>4</Qty><QU>m3</QU>${texts('Dig')}`)).toMatchObject({
      quantity: '4',
      problem: null,
    })
    expect(await only(`<Qty>4 m</Qty>${texts('Dig')}`)).toMatchObject({
      problem: expect.stringContaining("'4 m': expected a number"),
    })
  })

  test.each([
    ['<LumpSumItem>Yes</LumpSumItem>', 'psch', '1'],
    ['<QU>Psch.</QU>', 'Psch.', '1'],
    ['<QtyTBD>Yes</QtyTBD><QU>psch</QU>', 'psch', null],
  ])('reads a lump sum without a quantity as one, where it is not open: %s', async (fields, unit, quantity) => {
    expect(await only(`${fields}${texts('Site')}`)).toMatchObject({ unit, quantity })
  })

  test('shows a markup with its share and base, and without a price', async () => {
    const markup = `<MarkupItem ID="m" RNoPart="2"><ITMarkup>850.00</ITMarkup><Markup>10.00</Markup><IT>85.00</IT>${texts('Extra')}</MarkupItem>`
    const [line] = linesIn(await read(file(list(markup))))
    expect(line).toMatchObject({ unit: '%', price: null, amount: '85', counts: 'yes' })
    expect(line?.problem).toBe('a markup 10 % on 850: it has no price of its own')
  })

  test('keeps the order of texts, complements and parts, and drops layout, pictures and flags', async () => {
    // given words cut between spans, a break, a complement and a picture
    const long = `
      <p><span>into the trench ver</span><span>legen</span><br/><span>and cover</span></p>
      <p><image Type="image/png">QUJD</image></p></Text>
      <TextComplement Kind="Owner"><ComplCaption>Depth</ComplCaption><ComplBody>1,00</ComplBody><ComplTail> m</ComplTail></TextComplement><Text><p><span>Done &amp; <![CDATA[<dusted>]]></span></p>`
    const part = `<SubDescr><SubDNo>02</SubDNo>${texts('Lid')}<Qty>3.000</Qty><QU>St</QU></SubDescr>`
    // when
    const line = await only(`${MEASURED}${texts('Cable', long)}${part}`)
    // then
    expect(line.text).toBe('Cable')
    expect(line.longText).toBe('into the trench verlegen\nand cover\nDepth 1,00 m\nDone & <dusted>\n2 Lid (3 St)')
  })

  test('names a position without a short text by the first line of the other one', async () => {
    expect(
      await only(MEASURED + texts('', '<p><span>Shaft, round,</span></p><p><span>of concrete</span></p>')),
    ).toMatchObject({
      text: 'Shaft, round',
      longText: 'of concrete',
    })
    expect(await only(MEASURED)).toMatchObject({ text: '1', problem: 'no text: expected what the line is of' })
  })

  test('joins repeated descriptions and performance descriptions', async () => {
    // given a base, one that changes it, and one below a performance description
    const long = (text: string) => texts('', `<p><span>${text}</span></p>`)
    const body = list(
      `<PerfDescr ID="p"><PerfNo>1</PerfNo><PerfLbl>Paint outside</PerfLbl>${long('Two coats')}</PerfDescr>` +
        item('1', `<RefDescr>Ref</RefDescr>${MEASURED}${long('Pit up to 2 m')}`) +
        item('2', `<RefDescr>Rep</RefDescr><RefRNo IDRef="i1"/>${MEASURED}${long('up to 1 m')}`) +
        item('3', `<RefPerfNo IDRef="p"/>${MEASURED}${texts('Bench')}`),
    )
    // when, then
    expect(linesIn(await read(file(body))).map(({ text, longText }) => [text, longText])).toEqual([
      ['Pit up to 2 m', null],
      ['Pit up to 2 m, up to 1 m', 'up to 1 m'],
      ['Bench', 'Paint outside\nTwo coats'],
    ])
  })

  test('is bounded in size where one text stands for many positions', async () => {
    const perf = `<PerfDescr ID="p"><PerfNo>1</PerfNo>${texts('a'.repeat(100_000))}</PerfDescr>`
    const [line] = linesIn(
      await read(file(list(`${perf}${item('1', `<RefPerfNo IDRef="p"/>${MEASURED}${texts('b'.repeat(9_999))}`)}`))),
    )
    expect([line?.text.length, line?.longText?.length]).toEqual([512, 8_192])
  })

  test.each([
    ['', 'b.x83: the document has no element'],
    ['<GAEB><Award><BoQ>', 'b.x83: the document ends inside <GAEB><Award><BoQ>'],
    ['<GAEB><Award></GAEB>', 'b.x83: </GAEB> comes before </Award>'],
    ['<GAEB> <Invoice/></GAEB>', 'b.x83: expected <Award> with <BoQ>, as phases 81 to 86 have; found <Invoice>'],
    [
      '<GAEB><Vergabe/></GAEB>',
      'b.x83: an old DA XML in German: save it as GAEB DA XML 3.3 in the program that wrote it',
    ],
    [file(''), 'b.x83: expected positions, found none'],
    [`<GAEB>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</GAEB>`, 'b.x83: <a> is more than 100 levels deep'],
  ])('%j is refused by place and expectation', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })

  test('any bytes of any format are read or refused in words', async () => {
    const parts = [
      file(list(item('1', MEASURED + texts('Dig')))),
      '#begin[GAEB]\n[OZ]1[end]\n#end[GAEB]',
      '21  NNN 0001',
      '{\\rtf1 ',
    ]
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...parts),
      fc.nat({ max: 400 }).map((at) => parts[0]?.slice(at) ?? ''),
    )
    const formats = fc.constantFrom<Parameters<typeof read>[1]>('gaeb-xml', 'gaeb-2000', 'gaeb-90', 'onorm')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 4 }), formats, async (pieces, format) => {
        const bill = await read(pieces.join(''), format).catch((error: Error) => error)
        if (bill instanceof Error) expect([bill.name, bill.message.slice(0, 5)]).toEqual(['BrokenDocument', 'b.x83'])
        else expect(bill.rows.length).toBeGreaterThan(0)
      }),
    )
  })

  test('expands no entity of a document type', async () => {
    const text = `<!DOCTYPE a [<!ENTITY x "boom">]>${file(list(item('1', MEASURED + texts('&x;'))))}`
    expect(linesIn(await read(text))[0]?.text).toBe('&x;')
  })
})

describe('a bid', () => {
  const bid = file(
    `<BoQCtgy ID="c" RNoPart="1"><BoQBody>${list(
      item('0010', '<UP>5.000</UP><IT>12.50</IT>') +
        item('0020', '<NotOffered>Yes</NotOffered>') +
        item('0030', '<Qty>7.000</Qty><UP>1.000</UP><IT>7.00</IT>'),
    )}</BoQBody><Totals><Total>19.50</Total></Totals></BoQCtgy>`,
    { phase: '84', info: '<Totals><Total>19.50</Total><VAT>19.00</VAT></Totals>' },
  )
  const request = (numbers = ['10', '20', '30', '40']) =>
    file(
      `<BoQCtgy ID="c" RNoPart="01"><LblTx><p><span>Earth</span></p></LblTx><BoQBody>${list(
        numbers
          .map((number) =>
            item(number, `${number === '30' ? '<QtyTBD>Yes</QtyTBD><QU>h</QU>' : MEASURED}${texts(`Work ${number}`)}`),
          )
          .join(''),
      )}</BoQBody></BoQCtgy>`,
    )

  test('alone says that its texts stand in the request', async () => {
    const bill = await read(bid)
    expect(bill.notes).toEqual([expect.stringContaining('expected its request (X83')])
    expect(linesIn(bill)[0]).toMatchObject({
      text: '1.0010',
      price: '5',
      amount: '12.5',
      quantity: null,
      problem: bill.notes[0],
    })
  })

  test('joined to its request has texts, quantities and prices', async () => {
    // when
    const bill = joinBid(await read(request()), await read(bid))
    // then
    expect(bill).toMatchObject({ title: 'House', total: '19.5', notes: [] })
    expect(shown(bill)).toEqual([
      '1 01 Earth',
      '01.10 Work 10 2.5 m2',
      '01.20 Work 20 2.5 m2',
      '01.30 Work 30 7 h',
      'Total 1: 19.5',
      'Total: 19.5',
      'VAT 19 %: null',
      '01.40 Work 40 2.5 m2',
    ])
    expect(linesIn(bill).map(({ price, counts, problem }) => [price, counts, problem])).toEqual([
      ['5', 'yes', null],
      [null, 'no', 'the bidder does not offer it: expected a price'],
      ['1', 'yes', null],
      [null, 'yes', 'the bid has no such number: expected its price'],
    ])
  })

  test('keeps a line that the request lacks, and refuses a request of other numbers', async () => {
    const bill = joinBid(await read(request(['10'])), await read(bid))
    expect(linesIn(bill).map(({ problem }) => problem)).toEqual([null, ...Array(2).fill('b.x83 has no such number')])
    const other = await read(request(['99']))
    await expect(read(bid).then((one) => joinBid(other, one))).rejects.toThrow(
      'expected numbers of b.x83, such as 01.99',
    )
  })
})

describe('decimals', () => {
  test.each([
    ['12345678.012', '12345678.012'],
    ['1.000', '1'],
    ['40,650', '40.65'],
    ['1.234,50', '1234.5'],
    ['-05.20', '-5.2'],
    ['0.000', '0'],
    ['', null],
    ['12 m', null],
    ['1e5', null],
  ])('%j is %j', (written, decimal) => expect(decimalOf(written)).toBe(decimal))

  test('of any number lose nothing but zeros', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 3 }), (n, places) => {
        expect(Number(decimalOf((n / 10 ** places).toFixed(3)))).toBe(Number((n / 10 ** places).toFixed(3)) || 0)
      }),
    )
  })
})

describe('ÖNORM A 2063', () => {
  const position = (inner: string, kind = 'normalposition') =>
    `<pos-eigenschaften>${inner}<einheit>m²</einheit><pzzv><${kind}/></pzzv><lvmenge>6.20</lvmenge><preis><gesamt>10.00</gesamt></preis><pospreis>62.00</pospreis></pos-eigenschaften>`
  const onlv = `<onlv xmlns="http://www.oenorm.at/schema/A2063/2021-03-01"><metadaten/><angebots-lv><kenndaten><lvbezeichnung>Haus</lvbezeichnung><wkz>EUR</wkz></kenndaten>
    <gliederung-lg><lg-liste><lg nr="10"><lg-eigenschaften><ueberschrift>Putz</ueberschrift></lg-eigenschaften><ulg-liste><ulg nr="01"><ulg-eigenschaften><ueberschrift>Innen</ueberschrift></ulg-eigenschaften><positionen>
      <grundtextnr nr="01"><grundtext><langtext><p>Innenputz</p></langtext></grundtext>
        <folgeposition ftnr="A" mfv="">${position('<stichwort>Wand</stichwort><langtext><p>bis <b>3,2</b> <i>m</i></p></langtext>')}</folgeposition>
        <folgeposition ftnr="B" mfv="">${position('<stichwort>Decke</stichwort>', 'eventualposition')}</folgeposition></grundtextnr>
      <grundtextnr nr="02"><ungeteilteposition mfv=""><pos-eigenschaften><stichwort>Note</stichwort></pos-eigenschaften></ungeteilteposition></grundtextnr>
    </positionen></ulg></ulg-liste><lg-summe><summe><gesamt>62.00</gesamt></summe></lg-summe></lg></lg-liste></gliederung-lg>
    <summenormalausfuehrung><ust><ustsatz>20.00</ustsatz><ustbetrag>12.40</ustbetrag></ust><angebotspreis>74.40</angebotspreis></summenormalausfuehrung></angebots-lv></onlv>`

  test('gives groups, positions with their common text, and options', async () => {
    const bill = await read(onlv, 'onorm')
    expect(bill).toMatchObject({ title: 'Haus', currency: 'EUR' })
    expect(shown(bill)).toEqual([
      '1 10 Putz',
      '2 10.01 Innen',
      '10.01.01A Wand 6.2 m²',
      '10.01.01B Decke 6.2 m²',
      'Total 10: 62',
      'Total with VAT: 74.4',
    ])
    expect(linesIn(bill)).toMatchObject([
      { longText: 'Innenputz\nbis 3,2 m', price: '10', amount: '62', counts: 'yes' },
      { longText: 'Innenputz', counts: 'option' },
    ])
  })

  test('a book of descriptions is refused', async () => {
    await expect(read('<onlb><lbkenndaten/></onlb>', 'onorm')).rejects.toThrow(
      'expected a bill such as <ausschreibungs-lv>, found <onlb>',
    )
  })
})
