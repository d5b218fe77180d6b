import { type Language, type Say, sayIn } from '@catalog/explorer/languages/language.ts'
import { frame, html, ICON, type Markup } from '@catalog/pages/markup.ts'
import { STYLE } from '@catalog/pages/style.ts'

/** Where a start is: percent of the sample that is loaded, or null before. */
export const startingText = (say: Say, percent: number | null): string =>
  percent === null ? say('starting') : say('loadingSample', { percent })

/** The page of a catalog that starts: one response that the browser asks for again. */
export function startingPage(
  language: Language,
  { percent, refreshSeconds }: Readonly<{ percent: number | null; refreshSeconds: number }>,
): Markup {
  const say = sayIn(language)
  const said = startingText(say, percent)
  return frame({
    title: `${said} · ${say('catalog')}`,
    language,
    head: html`<meta http-equiv="refresh" content="${refreshSeconds}">!${ICON}`,
    style: STYLE,
    body: html`<main><h1>${say('catalog')}</h1>
<p>${say('tagline')}</p>
<p role="status"><strong>${said}</strong></p>
!${percent === null ? '' : html`<progress max="100" value="${percent}" aria-label="${said}"></progress>`}</main>`,
  })
}
