/**
 * Headings of each column, folded, in six languages; the first one that occurs wins. A description comes before an item or an
 * article, which many lists number: "Ítem | Descripción".
 */
export const BILL_HEADINGS = {
  text: `description, descripcion, descricao, designation, beschreibung, descrizione, text, resumen, denominacion, denominacao,
    especificacion, especificacao, discriminacao, bezeichnung, denominazione, libelle, concepto, leistung, material, insumo,
    name, nombre, nome, product, producto, produto, prodotto, servicio, servico, rubro, article, articulo, artigo, artikel,
    articolo, partida, voce, item`,
  unit: 'unit, uom, u, ud, uds, un, und, unidad, unidade, unite, einheit, me, um, u m, unita, unita di misura',
  quantity: `quantity, qty, q, cantidad, cant, medicion, canpres, metrado, quantidade, qtd, qtde, quant, quantite, qte, menge, anzahl, quantita,
    qta`,
  region: 'region, country, pais, pays, land, paese',
} as const

/** Words with which titles and sums of a bill begin, folded: rows without a unit and a quantity that ask for nothing. */
export const TITLE_WORDS =
  /^(?:sub ?-?)?(?:capitulos?|chapter|chapitre|capitolo|kapitel|lot|lote|titulo|titel|section|seccion|secao|division|totale?s?|suma|soma|somme|summe|zwischensumme|resumen|resumo|summary|carried (?:forward|to))(?![\p{L}])/u
