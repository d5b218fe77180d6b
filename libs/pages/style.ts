/** The stylesheet of the pages that are one response: those of the console, of the API, and reports. */
export const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#8a857b,#7d776c);--soft:light-dark(#f4f2ec,#24221e);--edge:light-dark(#d8d4cc,#44413b);--text:light-dark(#1c1b19,#ece9e2);--dim:light-dark(#57534b,#b5afa4);--main:light-dark(#0b5394,#8ec2f5);--on-main:light-dark(#fff,#10202f);--bad:light-dark(#a3161b,#ff9d97);--good:light-dark(#14632f,#86d9a1)}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:light-dark(#fff,#161512)}
a{color:var(--main)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
main:focus{outline:none}
.skip{position:absolute;left:-100vw;padding:.5rem 1rem;background:var(--main);color:var(--on-main)}
.skip:focus{left:.5rem;top:.5rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;padding:.75rem 1.25rem;border-bottom:1px solid var(--edge)}
.home{font-weight:600;color:inherit;text-decoration:none;padding:.35rem 0}
.person{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;min-width:0;overflow-wrap:anywhere}
main{max-width:58rem;margin:0 auto;padding:1.5rem 1.25rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.2rem;margin:2.5rem 0 .5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0 0 1.5rem;padding:0;border-bottom:1px solid var(--edge)}
nav a{display:block;padding:.5rem 0;text-decoration:none}
nav a[aria-current]{color:inherit;font-weight:600;border-bottom:3px solid var(--main)}
main>form,section>form{max-width:26rem;margin:.75rem 0}
form button+button{margin-left:.5rem}
pre{overflow:auto;padding:.75rem 1rem;background:var(--soft);border:1px solid var(--edge);border-radius:.35rem;white-space:pre-wrap}
.field{margin:0 0 1.1rem}
label{display:block;font-weight:600;margin:0 0 .25rem}
.hint{margin:0 0 .3rem;color:var(--dim);font-size:.9rem}
.error{margin:.3rem 0 0;color:var(--bad)}
input,select{font:inherit;color:inherit;background:light-dark(#fff,#191815);width:100%;padding:.55rem .65rem;border:1px solid var(--line);border-radius:.35rem}
input[aria-invalid]{border-color:var(--bad);border-width:2px}
button{font:inherit;font-weight:600;padding:.55rem 1.1rem;border:1px solid transparent;border-radius:.35rem;cursor:pointer;min-height:2.75rem}
button.main{background:var(--main);color:var(--on-main)}
button.danger{background:transparent;color:var(--bad);border-color:var(--bad)}
dt{font-weight:600}
dd{margin:0 0 .75rem}
dd ul{margin:0}
button.plain{background:transparent;color:var(--main);padding:.35rem .25rem}
.notice{padding:.75rem 1rem;border-left:4px solid var(--line);background:var(--soft);border-radius:.2rem}
.notice.done{border-color:var(--good)}
.notice.error{border-color:var(--bad)}
table{border-collapse:collapse;width:100%;margin:1rem 0 2rem}
caption{text-align:left;font-weight:600;font-size:1.2rem;padding:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.6rem .75rem .6rem 0;border-bottom:1px solid var(--edge);font-weight:normal}
thead th{color:var(--dim);font-size:.9rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
th,td{min-width:5rem}
tbody th{font-weight:600;min-width:8rem}
.secret{padding:1rem;background:var(--soft);border:1px solid var(--edge);border-radius:.35rem}
.secret span{display:block;font-weight:600}
.secret code{font-size:1rem;user-select:all}
meter{width:100%;height:1rem}
.picture svg{display:block;width:14rem;max-width:100%;height:auto}
.codes{columns:2;list-style:none;padding:0}
details>summary{cursor:pointer;color:var(--main);min-height:2.75rem;padding:.35rem 0}
code{overflow-wrap:anywhere}
@media (max-width:48rem){
table,tbody,tr,th,td{display:block;width:auto;min-width:0}
caption{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{border:1px solid var(--edge);border-radius:.4rem;padding:.5rem .9rem;margin:0 0 .75rem}
tbody th,tbody td{display:grid;grid-template-columns:minmax(6rem,1fr) 2fr;gap:.75rem;padding:.35rem 0;border:0;min-width:0}
tbody th::before,tbody td::before{content:attr(data-label);color:var(--dim);font-weight:normal;font-size:.9rem}
}
`
