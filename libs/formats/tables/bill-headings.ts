/** Headings of each column, folded, in six languages; the first one that occurs wins. */
export const BILL_HEADINGS = {
  text: `description, text, item, material, name, product, article, descripcion, concepto, partida, articulo, producto,
    nombre, descricao, insumo, produto, nome, designation, libelle, article, bezeichnung, beschreibung, leistung, artikel,
    descrizione, voce, articolo, prodotto`,
  unit: 'unit, uom, u, ud, uds, un, und, unidad, unidade, unite, einheit, me, um, u m, unita, unita di misura',
  quantity: `quantity, qty, q, cantidad, cant, medicion, quantidade, qtd, qtde, quant, quantite, qte, menge, anzahl, quantita,
    qta`,
  region: 'region, country, pais, pays, land, paese',
} as const
