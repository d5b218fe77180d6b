import type { Dimension } from './unit.ts'

/** Kinds of container, each spelled in six languages. One row holds all names of the same kind. */
export const CONTAINERS: readonly (readonly [symbol: string, spellings: string])[] = [
  [
    'bag',
    `bg, bags, sack, sacks, sacke, saco, sacos, bolsa, bolsas, bls, bol, sac, sacs, sacco, sacchi, sacola, sacolas,
    beutel, bols, bolsita, bolsitas, bulto, bultos, sacchetto, sacchetti`,
  ],
  [
    'big bag',
    'bigbag, big bags, bigbags, bulk bag, bulk bags, jumbo bag, jumbo bags, ton bag, ton bags, sacon, sacones',
  ],
  [
    'box',
    `bx, boxes, ctn, carton, cartons, case, cases, caja, cajas, caixa, caixas, cx, cxs, karton, kartons, kiste,
    kisten, caisse, caisses, boite, boites, scatola, scatole, scat, cja, caj, ktn, schachtel, schachteln, schtl,
    bte, btes`,
  ],
  [
    'pack',
    `pk, pkg, packs, package, packages, packet, packets, paquete, paquetes, paq, pqt, pqte, pacote, pacotes, pct,
    pck, paket, pakete, packung, packungen, paquet, paquets, pacco, pacchi, confezione, confezioni, conf, embalagem,
    embalagens, embal, emb, pkt, pkts, pckg, ve, vpe, etui, etuis, уп, упак, упаковка`,
  ],
  ['sachet', 'sachets, pouch, pouches, sobre, sobres, busta, buste'],
  // The foil bag of a sealant for a sealant gun.
  ['sausage', 'sausages, schlauchbeutel, foil pack, foil packs, salchichon, salchichones'],
  ['blister', 'blisters, cartela, cartelas'],
  ['crate', 'crates, guacal, guacales, huacal, huacales, engradado, engradados'],
  [
    'pallet',
    `px, pallets, palet, palets, pale, pales, palete, paletes, palette, palettes, paletten, pal, plt, paletta,
    estiba, estibas, bancale, bancali, skid, skids`,
  ],
  [
    'bundle',
    `bundles, atado, atados, haz, haces, fardo, fardos, feixe, feixes, bund, bunde, botte, bottes, fascio, fasci,
    bdl, bdls, bndl, bndls, bale, bales, ballen, paca, pacas, manojo, manojos, molho, molhos`,
  ],
  [
    'roll',
    `ro, rl, rolls, rollo, rollos, rolo, rolos, rolle, rollen, rouleau, rouleaux, rotolo, rotoli, rlx, rllo, rllos,
    rot`,
  ],
  ['coil', 'coils, bobina, bobinas, bobine, bobines, couronne, couronnes, matassa, matasse, madeja, madejas'],
  [
    'reel',
    'reels, spool, spools, carrete, carretes, carretel, carreteis, touret, tourets, trommel, trommeln, spule, spulen',
  ],
  [
    'bar',
    `bars, barra, barras, vara, varas, varilla, varillas, stange, stangen, barre, barres, length, lengths, lgth,
    lgths, stick, sticks, rod, rods, stab, stabe, stg, tira, tiras, tramo, tramos, vrlla, verga, verghe, longueur,
    longueurs`,
  ],
  ['tube', 'tubes, tubo, tubos, tuben, tubi, tubetto, tubetti, bisnaga, bisnagas'],
  [
    'sheet',
    `sheets, plancha, planchas, chapa, chapas, lamina, laminas, placa, placas, platte, platten, plaque, plaques,
    lastra, lastre, hoja, hojas, folha, folhas, feuille, feuilles, foglio, fogli, tafel, tafeln, sht, shts, pliego,
    pliegos, pln`,
  ],
  ['slab', 'slabs, losa, losas, laje, lajes, dalle, dalles'],
  ['mat', 'mats, matte, matten'],
  ['panel', 'panels, panneau, panneaux, paneel, paneele, painel, paineis, paneles, pannello, pannelli'],
  [
    'board',
    'boards, tablero, tableros, tabla, tablas, tabua, tabuas, planche, planches, brett, bretter, tavola, tavole',
  ],
  [
    'bucket',
    `buckets, pail, pails, balde, baldes, cubeta, cubetas, cubo, cubos, cunete, cunetes, eimer, seau, seaux, secchio,
    secchi, eim, tineta, tinetas, tub, tubs, kubel, hobbock, hobbocks`,
  ],
  ['can', 'cans, tin, tins, lata, latas, bote, botes, dosen, latta, latte, tarro, tarros, barattolo, barattoli'],
  ['pot', 'pots, pote, potes, jar, jars'],
  ['aerosol', 'aerosols, aerosoles, spray, sprays, spraydose, spraydosen, bomboletta, bombolette'],
  ['gallon can', 'galao, galoes'],
  ['canister', 'canisters, jerrycan, jerrycans, kanister, bidon, bidons, bidones, tanica, taniche, bidone, bidoni'],
  ['drum', 'drums, tambor, tambores, fass, fasser, fut, futs, fusto, fusti, tambo, tambos, keg, kegs, barrel, barrels'],
  [
    'bottle',
    `bottles, botella, botellas, garrafa, garrafas, frasco, frascos, flasche, flaschen, bouteille, bouteilles,
    bottiglia, bottiglie, flacon, flacons, botellon, botellones, flacone, flaconi, jug, jugs`,
  ],
  ['cylinder', 'cylinders, cilindro, cilindros, bombona, bombonas, bombola, bombole, gasflasche, gasflaschen'],
  ['ampoule', 'ampoules, ampolla, ampollas, ampola, ampolas, ampulle, ampullen, fiala, fiale'],
  ['cartridge', 'cartridges, cartucho, cartuchos, kartusche, kartuschen, cartouche, cartouches, cartuccia, cartucce'],
  [
    'set',
    `sets, juego, juegos, jgo, jg, jogo, jogos, kit, kits, conjunto, conjuntos, conj, garnitur, garnituren, satz,
    satze, jeu, jeux, ensemble, ensembles, ens, komplett, complete, completo, complet, compl, komplet, компл, комплект`,
  ],
  [
    'load',
    `loads, truckload, truckloads, viaje, viajes, viagem, viagens, fuhre, fuhren, voyage, voyages, viaggio, viaggi,
    trip, trips, flete, fletes, camion, camiones, carrada, carradas, ladung, ladungen`,
  ],
  ['lot', 'lots, lote, lotes, lotto, lotti'],
  ['skip', 'skips, cacamba, cacambas, contenedor, contenedores, container, containers, benne, bennes, mulde, mulden'],
]

/** Containers sold by the number of pieces in them: "caja 25" is 25 pieces, while "saco 25" is nearly always kg. */
export const HOLDS_PIECES = new Set(['box', 'pack', 'pallet', 'blister', 'crate', 'lot'])

/** Containers that hold nothing else: one vendor sells the board by the sheet, the next by the piece. */
export const PIECES: ReadonlySet<Dimension> = new Set(
  (['bar', 'board', 'mat', 'panel', 'roll', 'set', 'sheet', 'slab'] as const).map((kind) => `count:${kind}` as const),
)

/** Other counted units. A day of hire has no fixed number of hours, a month no fixed number of days. */
export const COUNTED: readonly (readonly [symbol: string, spellings: string])[] = [
  ['day', 'diaria, diarias, journee, journees, d, days, dia, dias, tag, tage, jour, jours, giorno, giorni'],
  ['man-day', 'jornal, jornales, jornada, jornadas, manntag, manntage, man days, homme jour'],
  ['week', 'wee, weeks, semana, semanas, woche, wochen, semaine, semaines, settimana, settimane, wk, wks'],
  ['month', 'mon, months, mes, meses, monat, monate, mois, mese, mesi, mos'],
  ['year', 'ann, years, ano, anos, jahr, jahre, annee, annees, anno, anni, yr, yrs'],
  ['idle hour', 'idle hours'],
  // Two measures at once: transport by load and distance, hire by goods and months, a layer by area and thickness. None converts
  // into another unit.
  ['t km', 'txkm, t x km, tkm, t kilometre, tonne kilometre, tonne kilometres'],
  ['m³ km', 'm3xkm, m3 x km'],
  ['u month', 'unxmes, un x mes, ud x mes'],
  ['m month', 'mxmes, m x mes'],
  ['m² month', 'm2xmes, m2 x mes'],
  ['m³ month', 'm3xmes, m3 x mes'],
  ['m² cm', 'm2 x cm, mq x cm, m2xcm'],
  ['cycle', 'cycles, ciclo, ciclos, cicli'],
  // A metre cubed of stacked wood, air included.
  ['stere', 'steres, estereo, estereos, stero, steri, raummeter'],
  // An allowance that bidders price by the dollar.
  ['dollar', 'dollars'],
  ['service', 'services, servicio, servicios, servico, servicos, serv, srv'],
  ['point', 'points, pto, ptos, punto, puntos, ponto, pontos, punkt, punkte, punti, salida, salidas'],
]
