import type { Dimension } from './unit.ts'

/**
 * Measures and numbers of pieces: symbol, dimension, base units in one, and the spellings of six languages, with the
 * commonest of others.
 */
export const MEASURES: readonly (readonly [symbol: string, dimension: Dimension, factor: string, spellings: string])[] =
  [
    [
      'm',
      'length',
      '1',
      `mtr, metro, metros, meter, metre, meters, metres, m/l, lm, lfm, lfdm, lfd m, metro lineal, metros lineales,
    metro linear, metros lineares, metro lineare, metri lineari, metri, metre lineaire, metres lineaires, linear
    metre, linear metres, linear meter, linear meters, running metre, running meter, laufender meter, laufmeter,
    mto, mtos, lin m, m lin, m lineal, m lineales, m linear, m lineare, m lineaire, metro l, m run, run m, metre
    run, metres run, mlin, mlineal, mlinear, м, м п, п м, пог м, погонный метр`,
    ],
    [
      'cm',
      'length',
      '0.01',
      'cmt, centimetro, centimetros, centimetri, centimeter, centimetre, centimeters, centimetres, zentimeter',
    ],
    [
      'mm',
      'length',
      '0.001',
      'mmt, milimetro, milimetros, millimetro, millimetri, millimeter, millimetre, millimeters, millimetres',
    ],
    ['dm', 'length', '0.1', 'dmt, decimetro, decimetros, dezimeter, decimetre, decimetres, decimeter, decimeters'],
    [
      'micron',
      'length',
      '0.000001',
      'microns, micra, micras, micrometro, micrometros, micrometre, micrometres, mikrometer',
    ],
    [
      'km',
      'length',
      '1000',
      `kmt, kilometro, kilometros, quilometro, quilometros, chilometro, chilometri, kilometer, kilometre, kilometers,
    kilometres`,
    ],
    [
      'in',
      'length',
      '0.0254',
      'inh, inch, inches, pulgada, pulgadas, pulg, polegada, polegadas, plg, pouce, pouces, zoll, pollice, pollici',
    ],
    [
      'ft',
      'length',
      '0.3048',
      `fot, lf, vlf, foot, feet, lin ft, ln ft, lft, linft, linear foot, linear feet, lineal foot, lineal feet, pie,
    pies, pie lineal, pies lineales`,
    ],
    ['100 ft', 'length', '30.48', 'clf'],
    ['1000 ft', 'length', '304.8', 'mlf'],
    ['yd', 'length', '0.9144', 'yrd, ly, yard, yards, yarda, yardas, jarda, jardas'],
    ['mile', 'length', '1609.344', 'miles, smi'],

    [
      'm²',
      'area',
      '1',
      `mtk, sm, sqm, sq m, mq, qm, square metre, square metres, square meter, square meters, metro cuadrado, metros
    cuadrados, metro quadrado, metros quadrados, quadratmeter, metre carre, metres carres, metro quadrato, metri
    quadrati, mt2, mts2, м2, кв м, м кв`,
    ],
    ['dm²', 'area', '0.01', 'dmk, decimetro cuadrado, decimetros cuadrados'],
    ['cm²', 'area', '0.0001', 'cmk, centimetro cuadrado, centimetros cuadrados, square centimetre, square centimetres'],
    ['mm²', 'area', '0.000001', 'mmk'],
    ['km²', 'area', '1000000', 'kmk'],
    ['are', 'area', '100', 'ares'],
    ['ha', 'area', '10000', 'har, hectarea, hectareas, hectare, hectares, hektar, ettaro, ettari'],
    ['acre', 'area', '4046.8564224', 'acr, acres'],
    ['in²', 'area', '0.00064516', 'ink, sq in, square inch, square inches'],
    [
      'ft²',
      'area',
      '0.09290304',
      `ftk, sf, sqft, sq ft, sfca, square foot, square feet, pie2, pies2, pie cuadrado, pies cuadrados, pe quadrado,
    pes quadrados`,
    ],
    ['100 ft²', 'area', '9.290304', 'csf'],
    ['1000 ft²', 'area', '92.90304', 'msf'],
    // 100 square feet of roof covering.
    ['square', 'area', '9.290304', 'squares, roofing square, roofing squares'],
    ['yd²', 'area', '0.83612736', 'ydk, sy, sqyd, sq yd, square yard, square yards, yarda cuadrada, yardas cuadradas'],

    [
      'm³',
      'volume',
      '1',
      `mtq, cbm, cum, cu m, cubic metre, cubic metres, cubic meter, cubic meters, metro cubico, metros cubicos,
    kubikmeter, festmeter, metre cube, metres cubes, metro cubo, metri cubi, mt3, mts3, м3, куб м, м куб`,
    ],
    ['dm³', 'volume', '0.001', 'dmq'],
    ['cm³', 'volume', '0.000001', 'cmq, cc, ccm'],
    ['l', 'volume', '0.001', 'ltr, litre, litres, liter, liters, litro, litros, litri, л, литр'],
    [
      'ml',
      'volume',
      '0.000001',
      'mlt, millilitre, millilitres, milliliter, milliliters, mililitro, mililitros, millilitro, millilitri',
    ],
    ['cl', 'volume', '0.00001', 'clt, centilitro, centilitros, centilitre, centilitres'],
    ['hl', 'volume', '0.1', 'hlt, hectolitro, hectolitros, hectolitre, hectolitres, hektoliter'],
    [
      'ft³',
      'volume',
      '0.028316846592',
      'ftq, cf, cft, cu ft, cuft, cubic foot, cubic feet, pie3, pies3, pie cubico, pies cubicos',
    ],
    ['100 ft³', 'volume', '2.8316846592', 'ccf'],
    ['1000 ft³', 'volume', '28.316846592', 'mcf'],
    ['yd³', 'volume', '0.764554857984', 'ydq, cy, cu yd, cuyd, cubic yard, cubic yards, yarda cubica, yardas cubicas'],
    // 12 inches by 12 inches by 1 inch, nominal size aside.
    [
      'board ft',
      'volume',
      '0.002359737216',
      'bft, bf, fbm, bd ft, bdft, board foot, board feet, pie tablar, pies tablares',
    ],
    ['1000 board ft', 'volume', '2.359737216', 'mbf, mfbm, thousand board foot, thousand board feet'],
    ['US gal', 'volume', '0.003785411784', 'gll, gals, gallon, gallons, us gallon, us gallons, galon, galones, gln'],
    ['US qt', 'volume', '0.000946352946', 'qt, qts, qtl, quart, quarts'],
    ['US pt', 'volume', '0.000473176473', 'pint, pints'],
    ['US fl oz', 'volume', '0.0000295735295625', 'fl oz, floz, fluid ounce, fluid ounces'],
    ['imp gal', 'volume', '0.00454609', 'gli, uk gal, imperial gallon, imperial gallons, uk gallon, uk gallons'],

    [
      'kg',
      'mass',
      '1',
      `kgm, kgs, kgr, kgrs, kilo, kilos, kilogramo, kilogramos, kilogram, kilograms, kilogramm, kilogramme,
    kilogrammes, quilo, quilos, quilograma, quilogramas, chilo, chili, chilogrammo, chilogrammi, кг`,
    ],
    [
      'g',
      'mass',
      '0.001',
      'grm, gr, grs, gramo, gramos, gram, grams, gramm, gramme, grammes, grama, gramas, grammo, grammi',
    ],
    [
      't',
      'mass',
      '1000',
      `tne, tm, to, te, tonne, tonnes, tonnen, metric ton, metric tons, metric tonne, metric tonnes, tonelada,
    toneladas, tonelada metrica, toneladas metricas, tonnellata, tonnellate, tonn, т, тонна`,
    ],
    ['mg', 'mass', '0.000001', 'mgm, miligramo, miligramos, milligram, milligrams, milligramm'],
    ['100 kg', 'mass', '100', 'dt, dtn, dezitonne, dezitonnen, doppelzentner, quintale, quintali, qli, quintaux'],
    ['lb', 'mass', '0.45359237', 'lbr, lbs, pound, pounds'],
    ['cwt', 'mass', '45.359237', 'hundredweight, hundredweights, short hundredweight'],
    ['oz', 'mass', '0.028349523125', 'onz, ounce, ounces'],
    ['short ton', 'mass', '907.18474', 'stn, sh tn, short tons, us ton, us tons'],
    ['long ton', 'mass', '1016.0469088', 'ltn, long tons, imperial ton, imperial tons, uk ton, uk tons'],

    [
      'h',
      'time',
      '1',
      `hur, hr, hrs, hs, hora, horas, hour, hours, heure, heures, stunde, stunden, std, ora, ore, hh, mh, mach hr,
    machine hour, machine hours, maquina hora, hora maquina, horas maquina, hora de maquina, heure machine, heures
    machine, masch std, maschinenstunde, maschinenstunden, ora macchina, ore macchina, man hour, man hours, person
    hour, person hours, labor hour, labour hour, labor hours, labour hours, hora hombre, horas hombre, h h, homem
    hora, pessoa hora, pessoas hora, hora homem, pers h, personne heure, personnes heures, mannstunde, mannstunden,
    arbeitsstunde, arbeitsstunden, ora uomo, ore uomo, man hr, man hrs, mhr, mhrs, machine hr, machine hrs, mach
    hrs, labor hr, labor hrs, labour hr, labour hrs, plant hour, plant hours, lohnstunde, lohnstunden, arb std, lohn
    std, h hombre, h maquina, h m, hora trabajo, horas trabajo`,
    ],
    ['min', 'time', '1/60', 'minuto, minutos, minute, minutes, minuten, minuti'],

    ['kWh', 'energy', '1', 'kilowatt hour, kilowatt hours, kilovatio hora, kilowattstunde, kilowattheure'],
    ['MWh', 'energy', '1000', ''],
    ['W', 'power', '0.001', 'wtt, watt, watts, vatio, vatios'],
    ['kW', 'power', '1', 'kwt, kilowatt, kilowatts, kilovatio, kilovatios'],
    ['MW', 'power', '1000', 'maw'],

    [
      'u',
      'count',
      '1',
      `ud, uds, un, und, unds, uni, unid, unids, unit, units, unidad, unidades, unidade, unite, unites, unita, c62,
    h87, ea, each, pc, pcs, pce, pces, piece, pieces, pz, pzs, pza, pzas, pieza, piezas, peca, pecas, pezzo, pezzi,
    stk, stck, stuck, stucke, stueck, n, nr, no, nos, num, c/u, cda, cada uno, cada una, cad, cadauno, einheit,
    einheiten, einh, szt, sztuka, sztuki, шт, штука, бр, τεμ, τμχ`,
    ],
    ['pair', 'count', '2', 'npr, pr, prs, pairs, pares, paar, paare, paire, paires, paio, paia, coppia, coppie'],
    [
      'dozen',
      'count',
      '12',
      'dzn, dz, doz, dtz, dtzd, dzd, docena, docenas, duzia, duzias, douzaine, douzaines, dutzend, dozzina, dozzine',
    ],
    ['gross', 'count', '144', 'gro, gruesa, gruesas, grosa, grosas, grosse, gros, grossa'],
    [
      'hundred',
      'count',
      '100',
      `cen, hundreds, cto, hun, % stk, % st, cento, ciento, cientos, cien, centena, centenas, centenar, centenares,
    hundert, centaine, centaines, centinaio`,
    ],
    [
      'thousand',
      'count',
      '1000',
      `mil, thousands, millar, millares, milheiro, milheiros, milhei, tausend, mille, millier, milliers, mll, mlls,
    milh, thou, tsd, migliaio, migliaia`,
    ],

    [
      'lump sum',
      'lump sum',
      '1',
      `ls, lsum, lump sums, partida alzada, pausch, pauschal, pauschale, psch, forfait, fft, global, glb, gbl, verba,
    vb, a corpo, corpo, glob, psl`,
    ],
  ]
