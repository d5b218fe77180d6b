/** HTML pages of this server: one frame and one style, without scripts. */

/** A page with its title; `main` is HTML, in which every value is escaped. */
export function pageHtml(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Construction Cost Catalog</title>
<style>${STYLE}</style>
</head>
<body>
<main>${main}
</main>
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#d8d4cc,#44413b);--soft:light-dark(#f6f4ef,#26241f)}
body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.1rem;margin:0}
.plans{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:1rem;margin:2rem 0}
section{border:1px solid var(--line);border-radius:.6rem;padding:1.25rem;display:flex;flex-direction:column}
.price{font-size:1.6rem;font-weight:600;margin:.25rem 0 .75rem}
ul{margin:0 0 1rem;padding-left:1.1rem;flex:1}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
pre{margin:0;padding:.75rem;border-radius:.4rem;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}
`
