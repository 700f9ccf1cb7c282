import { type Theme, themes, variablesOf } from '../charts/palette.js';

const block = (selector: string, theme: Theme, scheme: string, weight = '') =>
  `${selector}{color-scheme:${scheme}${weight};${Object.entries(variablesOf(theme))
    .map(([name, value]) => `${name}:${value}${weight}`)
    .join(';')}}`;

/** Colours by what the system prefers, by what was chosen on the page, and on paper, whatever was chosen. */
const colours = [
  block(':root', themes.light, 'light'),
  `@media (prefers-color-scheme:dark){${block(':root', themes.dark, 'dark')}}`,
  block(':root:has(#theme-light:checked)', themes.light, 'light'),
  block(':root:has(#theme-dark:checked)', themes.dark, 'dark'),
  `@media print{${block(':root', themes.light, 'light', '!important')}}`,
].join('\n');

const layout = `
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
header,nav,main,footer{max-width:60rem;margin:0 auto;padding:0 1rem}
header{padding-top:2rem}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:1.75rem;margin:0 0 .5rem}
h2{font-size:1.4rem;margin:3rem 0 .75rem;padding-top:1.25rem;border-top:1px solid var(--rule)}
h3{font-size:1.15rem;margin:2.25rem 0 .5rem}
p,li{max-width:46rem;overflow-wrap:anywhere}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,input:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-100rem}
.skip:focus{position:static;display:inline-block;padding:.5rem 1rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.note{color:var(--muted);font-size:.9rem}
.theme{border:0;margin:1rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;font-size:.9rem}
.theme legend{float:left;padding:0;margin-right:.25rem;color:var(--muted)}
.theme label{display:inline-flex;gap:.35rem;align-items:center;min-height:1.75rem}
nav ul{list-style:none;margin:1.5rem 0 0;padding:.75rem 1rem;background:var(--raised);border-radius:.5rem;columns:18rem 2}
nav li{break-inside:avoid;margin:.15rem 0}
.warnings{border-left:.3rem solid var(--warning);padding-left:1rem}
.warnings h2{color:var(--warning);border:0;padding:0;margin-top:2rem}
figure{margin:2rem 0;padding:0}
figcaption{margin:0 0 .75rem}
figcaption strong{display:block;font-size:1.05rem}
figcaption span{color:var(--muted);font-size:.9rem;display:block;max-width:46rem}
figure>svg{display:block;max-width:100%;height:auto;overflow:visible}
svg text{font-family:inherit}
.narrow{display:none!important}
@media screen and (max-width:50rem){.narrow{display:block!important}.wide{display:none!important}}
details{margin:.75rem 0}
summary{cursor:pointer;color:var(--link);width:fit-content;padding:.2rem 0}
.scroll{overflow-x:auto;max-width:100%;margin:.75rem 0}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;line-height:1.4}
caption{text-align:left;color:var(--muted);padding:0 0 .35rem}
th,td{padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
th{font-weight:600}
thead th{white-space:nowrap;border-bottom-color:var(--muted)}
.number{text-align:right;white-space:nowrap}
tbody th{font-weight:500;min-width:8rem}
.digest{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.75rem;word-break:break-all;min-width:14rem}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em;background:var(--raised);padding:.1em .3em;border-radius:.25rem;overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;color:var(--muted);font-size:.875rem}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{
 .theme,.skip,nav,details:not([open]){display:none}
 body{font-size:10pt}
 header,main,footer{max-width:none;padding:0}
 h2,h3{break-after:avoid}
 figure,tr{break-inside:avoid}
 .scroll{overflow:visible}
 a{color:inherit;text-decoration:none}
}`;

/** The style of the page, as one text: its digest stands in the page's policy. */
export const pageStyle = `${colours}${layout}`;
