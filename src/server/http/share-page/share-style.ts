import { createHash } from 'node:crypto';

export const SHARE_STYLE = `
:root{color-scheme:light dark;--canvas:#fafafa;--raised:#fff;--ink:#18181b;--ink2:#52525b;--line:#d4d4d8;--sunken:#ececee;--good:#166534;--goodsoft:#dcfce7;--amber:#92400e;--ambersoft:#fef3c7;--bad:#b42318}
@media(prefers-color-scheme:dark){:root{--canvas:#0c0c0d;--raised:#19191b;--ink:#f4f4f5;--ink2:#a9a9b2;--line:#3b3b40;--sunken:#1d1d20;--good:#86efac;--goodsoft:#14301f;--amber:#fcd34d;--ambersoft:#36290c;--bad:#fda29b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--canvas);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:80rem;margin:0 auto;padding:2rem clamp(1rem,4vw,2.5rem) 4rem}
header{margin-bottom:1.5rem}
h1{margin:0;font-size:clamp(1.5rem,1.2rem + 1.4vw,2.125rem);font-weight:650;line-height:1.2;letter-spacing:-.02em}
p{margin:.25rem 0 0;color:var(--ink2)}
a{color:inherit}
:focus-visible{outline:3px solid #b45309;outline-offset:2px}
.by{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;margin:0 0 1rem;font-size:.9375rem}
.by .logo{width:auto;max-width:10rem;height:2.5rem;object-fit:contain;background:none}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:1.25rem;align-items:start;margin:0;padding:0;list-style:none}
ul.one{display:block}
li{overflow:hidden;border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
figure{margin:0}
img,video{display:block;width:100%;height:auto;background:var(--sunken)}
ul:not(.one) img,ul:not(.one) video{aspect-ratio:4/3;object-fit:contain}
.one img,.one video{max-height:80vh;object-fit:contain}
audio{display:block;width:100%;padding:.75rem}
figcaption{display:flex;flex-wrap:wrap;align-items:baseline;gap:.5rem 1rem;justify-content:space-between;padding:.625rem .75rem;font-size:.875rem;color:var(--ink2)}
figcaption p{flex:1 1 8rem;margin:0;max-height:9rem;overflow-y:auto;white-space:pre-wrap}
.one figcaption p{max-height:none}
.empty{padding:2rem .75rem;text-align:center;color:var(--ink2)}
nav{display:flex;gap:1rem;justify-content:center;margin-top:1.5rem}
nav a,figcaption a,footer a{display:inline-flex;align-items:center;min-height:1.75rem;font-weight:500}
.center{display:flex;min-height:100vh;flex-direction:column;align-items:center;justify-content:center;padding:1.5rem;text-align:center}
.ask{margin-bottom:1.5rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
.ask>p{margin:0;color:var(--ink);font-weight:500}
.ask form{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:flex-start;margin-top:.75rem}
.ask form>p{min-width:0;margin:0}
.ask form>p:not(.field){align-self:center}
.ask .field{display:flex;flex-direction:column;flex:0 1 16rem;color:inherit}
.ask .main{margin-top:1.5rem}
@media(max-width:36rem){.ask .field{flex-basis:100%}.ask .main{margin-top:0}}
label{margin-bottom:.1875rem;font-size:.875rem;font-weight:500;color:var(--ink)}
input,textarea,button{font:inherit;color:inherit}
input,textarea{width:100%;padding:.4375rem .625rem;border:1px solid #85858f;border-radius:.375rem;background:var(--canvas)}
textarea{display:block;resize:vertical}
[aria-invalid]{border-color:var(--bad)}
.problem{margin-top:.25rem;font-size:.875rem;color:var(--bad)}
.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border-radius:.5rem;background:var(--ambersoft);color:var(--amber)}
button{min-height:2.5rem;padding:.375rem .875rem;border:1px solid #85858f;border-radius:.375rem;background:var(--raised);font-weight:500;cursor:pointer}
button:hover{background:var(--sunken)}
.main,.picked:is(button),.approved:is(button),.commented:is(button){border-color:var(--ink);background:var(--ink);color:var(--canvas)}
:is(.main,.picked,.approved,.commented):is(button):hover{opacity:.85;background:var(--ink)}
.plain{border-color:transparent;background:none;color:var(--ink2);text-decoration:underline;text-underline-offset:3px}
.ask .plain{padding-inline:0}
.answer{padding:.75rem;border-top:1px solid var(--line);scroll-margin-top:40vh}
.one .answer{max-width:40rem}
.state{display:inline-block;margin:0 0 .5rem;padding:.125rem .5rem;border-radius:.25rem;background:var(--goodsoft);color:var(--good);font-size:.875rem;font-weight:500}
.state.changes_requested{background:var(--ambersoft);color:var(--amber)}
.progress{margin-top:.75rem}.progress a{margin-left:.5rem}
.steps{display:flex;align-items:center;justify-content:space-between;gap:.5rem;margin-top:.75rem;font-size:.875rem;color:var(--ink2)}
.steps a{display:inline-flex;align-items:center;min-height:2.5rem;font-weight:500;color:var(--ink)}
.version{margin:0;padding:.375rem .75rem;border-bottom:1px solid var(--line);font-size:.875rem;font-weight:500;color:var(--ink)}
.version.old{color:var(--ink2)}
li:has(.version.old){background:none}
li:has(.version.old) img,li:has(.version.old) video{opacity:.75}
.note{margin:0;font-size:.875rem;white-space:pre-wrap}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.625rem}
button.save{margin-top:.5rem}
summary{width:max-content;font-size:.875rem;color:var(--ink2);cursor:pointer;padding:.25rem 0}
details[open] summary{margin-bottom:.25rem}
.ai{padding:.0625rem .375rem;border-radius:.25rem;background:var(--sunken);font-size:.8125rem;font-weight:500;color:var(--ink)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
footer{margin-top:2.5rem;font-size:.875rem;color:var(--ink2)}
`;

interface PagePolicy {
  style: string;
  images: string;
  hasForm: boolean;
}

/** As strict as that of the dashboard: no script, one style, and only pictures and media of the service itself. */
export const pagePolicy = ({ style, images, hasForm }: PagePolicy): string =>
  [
    "default-src 'none'",
    `img-src ${images}`,
    "media-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');

export const sharePolicy = (hasForm: boolean): string => pagePolicy({ style: SHARE_STYLE, images: "'self'", hasForm });
