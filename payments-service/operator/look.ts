/** The rows of a table as cards: each cell under the name of its column. */
const cards = (table: string): string => `
${table} {
  border:0; overflow:visible; border-radius:0;
  & thead { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%) }
  & table, & tbody { display:block }
  & tbody tr { display:grid; grid-template-columns:repeat(auto-fill,minmax(136px,1fr)); gap:8px 16px; padding:10px 14px;
    border:1px solid var(--line); border-radius:10px }
  & tbody tr + tr { margin-top:10px }
  & td { display:block; padding:0; border:0; max-width:none; overflow-wrap:anywhere; background:none }
  & td::before { content:attr(data-name); display:block; color:var(--quiet); font-size:14px }
  & td:has(.long, form, pre) { grid-column:1/-1 }
  & td .long, & pre { min-width:0 }
  & td time { white-space:normal }
}`

/** One style sheet for the operator pages: the product's colours (src/site/tokens.css), dense and readable. */
export const STYLE = `
:root { --primary:#1a75ff; --link:#0b57d0; --ink:#0b1b33; --quiet:#44546a; --surface:#f5f8ff; --line:#dce5f2;
--line-strong:#b9c8de;
  --danger:#b42318; --good:#0b7a55; --tint:#eaf2ff; --caution:#9a5b00 }
* { box-sizing:border-box } [hidden] { display:none !important }
body { margin:0; color:var(--ink); background:#fff; font:15px/1.45
system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif }
header { display:flex; flex-wrap:wrap; gap:4px 18px; align-items:center; padding:10px 20px; background:var(--ink);
color:#fff }
header nav { display:flex; flex-wrap:wrap; gap:4px 18px; flex:1 }
header a { color:#fff; padding:6px 0; text-underline-offset:4px; text-decoration:none }
header a:hover, header a[aria-current] { text-decoration:underline }
main { padding:20px; max-width:1360px; margin:0 auto }
h1 { font-size:26px; line-height:1.2; margin:0 0 14px }
h2 { font-size:18px; margin:28px 0 8px; overflow-wrap:anywhere }
a { color:var(--link) }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible,
.scroll:focus-visible { outline:3px solid var(--primary); outline-offset:2px }
.scroll { overflow-x:auto; border:1px solid var(--line); border-radius:10px }
table { border-collapse:collapse; width:100%; font-variant-numeric:tabular-nums }
th, td { text-align:left; vertical-align:top; padding:6px 10px; border-bottom:1px solid var(--line); max-width:46ch;
overflow-wrap:break-word }
td :is(time, summary) { white-space:nowrap } td .long { display:block; min-width:22ch; overflow-wrap:anywhere }
th { background:var(--surface); font-weight:600; white-space:nowrap; position:sticky; top:0 }
tbody tr:last-child td { border-bottom:0 }
tbody tr:hover td { background:var(--tint) }
td.n, th.n { text-align:right; white-space:nowrap }
.quiet { color:var(--quiet) }
.good { color:var(--good); font-weight:600 } .bad { color:var(--danger); font-weight:600 } .warn { color:var(--caution);
font-weight:600 }
dl { display:grid; grid-template-columns:repeat(auto-fill,minmax(240px,1fr)); gap:10px 20px; margin:0 0 18px }
dt { color:var(--quiet); font-size:14px } dd { margin:0; overflow-wrap:anywhere }
:is(form,div).bar { display:flex; flex-wrap:wrap; gap:10px; align-items:end; margin:0 0 18px }
form.bar > a { padding:9px 4px }
td form.bar { margin:0 0 8px }
label { display:grid; gap:3px; font-size:14px; color:var(--quiet) }
label.check { display:flex; gap:8px; align-items:center; min-height:40px; font-size:15px; color:var(--ink) }
input, select { font:inherit; color:var(--ink); padding:8px 10px; border:1.5px solid #66788f; border-radius:8px;
min-height:40px; min-width:0; max-width:100%; background:#fff }
input[type=checkbox] { width:22px; min-height:22px; height:22px; margin:0 }
button { font:inherit; font-weight:600; padding:8px 14px; min-height:40px; border:1.5px solid var(--link);
border-radius:8px; background:var(--link); color:#fff; cursor:pointer }
button.plain { background:#fff; color:var(--link) } button.danger { background:var(--danger); border-color:var(--danger)
}
button.plain, header button { white-space:nowrap } header button { background:none; border-color:#fff; padding:5px 12px;
min-height:36px }
.numbers { display:grid; grid-template-columns:repeat(auto-fit,minmax(150px,1fr)); gap:12px; margin:0 0 18px; padding:0;
list-style:none }
.numbers li { border:1px solid var(--line); border-radius:10px; padding:10px 16px }
.numbers b { display:block; font-size:24px; line-height:1.25; font-variant-numeric:tabular-nums }
.numbers small { font-size:14px; font-weight:400; white-space:nowrap }
.chart td { padding:3px 10px; white-space:nowrap } .chart svg { display:block; width:100%; min-width:150px; height:18px
} .chart td:has(svg) { width:60% }
.page { border-top:1px solid var(--line); padding:10px 0 } .page h3 { font-size:16px; margin:0 0 6px }
.page dl { grid-template-columns:repeat(auto-fill,minmax(144px,1fr)); margin:0 }
.page dd { font-variant-numeric:tabular-nums } .page dd small { white-space:nowrap }
.chart .bar { fill:var(--primary) } .chart .lost { fill:#f3c6c1 } .chart .track { fill:var(--surface) }
.notice { border-left:4px solid var(--primary); background:var(--tint); padding:10px 14px; margin:0 0 18px }
.notice.bad { border-color:var(--danger); background:#fdecea; font-weight:400 }
pre { white-space:pre-wrap; overflow-wrap:anywhere; margin:6px 0 0; font-size:13px; min-width:34ch }
main:has(.sign-in) { max-width:420px; margin:8vh auto } .sign-in form + form { margin-top:14px }
.sign-in form, form[data-passkey] { display:grid; gap:14px; max-width:380px }
.sign-in form p { margin:0 }
.qr { display:block; width:232px; height:232px } .secret { overflow-wrap:anywhere; font-size:16px }
.codes { columns:2; padding:0; list-style:none; font-size:17px; line-height:1.9 }
details { margin:14px 0 } details.place { margin:0; border-top:1px solid var(--line) }
details.place summary { display:flex; flex-wrap:wrap; gap:4px 18px; align-items:baseline; padding:10px 0;
cursor:pointer }
details.place h2 { margin:0 } .duties { padding:0; margin:0; list-style:none; max-width:80ch }
.duties li { padding:4px 0 12px } .duties h3 { font-size:16px; margin:8px 0 2px } .duties p { margin:2px 0;
overflow-wrap:anywhere }
/* figures are compared down their columns: they stay a table, and its first column stays in sight */
.chart th:first-child, .chart td:first-child { position:sticky; left:0; z-index:1 }
.chart td:first-child { background:#fff } .chart tr:hover td:first-child { background:var(--tint) }
/* a record is a card where its row does not fit: the more facts, the sooner */
${cards(':not(.chart) > .scroll:has(th:nth-child(10))')}
@media (max-width:1300px) { ${cards(':not(.chart) > .scroll:has(th:nth-child(5))')} }
@media (max-width:900px) { ${cards(':not(.chart) > .scroll')} }
@media (max-width:600px) {
  main > dl { grid-template-columns:repeat(auto-fill,minmax(144px,1fr)) }
  main > dl > div:has(.long) { grid-column:1/-1 }
  main { padding:14px } header { padding:10px 14px } header strong { flex:1 } header nav { order:1; flex-basis:100% }
  main:has(.sign-in) { margin:0 auto } form.bar label:not(.check) { flex:1 1 8rem }
}
`
