// The report's looks: one sheet, light and dark, wide and narrow.

export const style = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #586274; --line: #dde2ea; --card: #f6f8fb; --paper: #fff; --own: #2459c9; --bare: #7d8899; --other: #b06f12; --good: #12693f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --soft: #a3aebf; --line: #313947; --card: #1b212b; --paper: #12161d; --own: #86afff; --bare: #8e9aac; --other: #e0b063; --good: #63d69f; --bad: #ff8f86; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; } h2 { font-size: 1.25rem; margin: 2.75rem 0 .25rem; } h3 { font-size: 1rem; margin: 0; } h4 { font-size: .88rem; font-weight: 600; color: var(--soft); margin: 1.1rem 0 .2rem; }
p { margin: .25rem 0 .75rem; max-width: 46rem; } .soft, li { color: var(--soft); } a { color: var(--own); } code { font-size: .9em; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td, th { padding: .32rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: baseline; } th { color: var(--soft); font-weight: 600; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } td.better { color: var(--bad); }
.holds { color: var(--good); white-space: nowrap; } .falls { color: var(--bad); white-space: nowrap; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; background: var(--card); } summary { padding: .6rem .8rem; cursor: pointer; } summary h3 { display: inline; } summary .soft { font-size: .88rem; } .in { padding: 0 .8rem .8rem; }
.row { display: grid; grid-template-columns: minmax(10rem, 19rem) 1fr 6.5rem 6.5rem; gap: 0 .75rem; align-items: center; font-size: .88rem; border-top: 1px solid var(--line); padding: .12rem 0; } .row.head { border: 0; color: var(--soft); font-size: .8rem; }
.row .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } .row svg { width: 100%; height: 20px; display: block; overflow: visible; } .own .name { font-weight: 600; }
svg text { font: 11px system-ui, sans-serif; fill: var(--soft); } svg .grid { stroke: var(--line); } svg .one { stroke: var(--soft); stroke-dasharray: 3 3; }
.own .dot { fill: var(--own); } .own .reach { stroke: var(--own); } .bare .dot { fill: var(--bare); } .bare .reach { stroke: var(--bare); } .other .dot { fill: var(--other); } .other .reach { stroke: var(--other); } .reach { stroke-width: 2; opacity: .55; }
.key span { margin-right: 1.2rem; white-space: nowrap; } .key i { display: inline-block; width: .7rem; height: .7rem; border-radius: 50%; margin-right: .35rem; } .key .own { background: var(--own); } .key .bare { background: var(--bare); } .key .other { background: var(--other); }
@media (max-width: 640px) { .row { grid-template-columns: 1fr 4.6rem 4.6rem; padding: .3rem 0; } .row .name { grid-column: 1 / -1; } .row.head .name { display: none; } .wide table { min-width: 38rem; } td, th { padding: .3rem .4rem; } td:first-child, th:first-child { position: sticky; left: 0; background: var(--paper); max-width: 9rem; } }`;
