import { html } from 'ghtml'

/**
 * Pages and their parts. `html` makes markup: it escapes every `${}` and inserts existing markup by `!${}`. Attributes are
 * always quoted.
 */
export { html }

export type Markup = string

/** Text as markup. */
export const text = (value: string): Markup => html`${value}`

/** The name that ends the titles of pages. */
export const CATALOG = 'Construction Cost Catalog'

/** An icon of nothing, so that browsers ask for none. */
export const ICON: Markup = '<link rel="icon" href="data:,">'

export type Frame = Readonly<{
  /** Title of the browser tab. */
  title: string
  language?: string
  /** Further elements of the head. */
  head?: Markup
  /** CSS of this document alone. */
  style?: string
  body: Markup
}>

/** A whole document; it loads nothing that its head does not name. */
export const frame = ({ title, language = 'en', head = '', style = '', body }: Frame): Markup => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
!${head}
!${style === '' ? '' : `<style>${style}</style>`}
</head>
<body>
!${body}
</body>
</html>
`
