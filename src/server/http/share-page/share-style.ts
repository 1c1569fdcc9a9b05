import { createHash } from 'node:crypto';

export const SHARE_STYLE = `
:root{color-scheme:light dark;--canvas:#fafafa;--raised:#fff;--ink:#18181b;--ink2:#52525b;--line:#d4d4d8;--sunken:#ececee}
@media(prefers-color-scheme:dark){:root{--canvas:#0c0c0d;--raised:#19191b;--ink:#f4f4f5;--ink2:#a9a9b2;--line:#3b3b40;--sunken:#1d1d20}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--canvas);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:80rem;margin:0 auto;padding:1.5rem 1rem 3rem}
header{margin-bottom:1.25rem}
h1{margin:0;font-size:1.375rem;line-height:1.3;letter-spacing:-.015em;overflow-wrap:anywhere}
p{margin:.25rem 0 0;color:var(--ink2)}
a{color:inherit}
:focus-visible{outline:3px solid #b45309;outline-offset:2px}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem;align-items:start;margin:0;padding:0;list-style:none}
ul.one{display:block}
figure{margin:0;overflow:hidden;border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
img,video{display:block;width:100%;height:auto;background:var(--sunken)}
ul:not(.one) img,ul:not(.one) video{aspect-ratio:4/3;object-fit:contain}
.one img,.one video{max-height:80vh;object-fit:contain}
audio{display:block;width:100%;padding:.75rem}
figcaption{display:flex;flex-wrap:wrap;gap:.5rem 1rem;justify-content:space-between;padding:.625rem .75rem;font-size:.875rem;color:var(--ink2)}
figcaption p{flex:1 1 12rem;margin:0;max-height:9rem;overflow-y:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.one figcaption p{max-height:none}
.empty{padding:2rem .75rem;text-align:center;color:var(--ink2)}
nav{display:flex;gap:1rem;justify-content:center;margin-top:1.5rem}
nav a,figcaption a{display:inline-flex;align-items:center;min-height:1.75rem;font-weight:500}
.center{display:flex;min-height:100vh;flex-direction:column;align-items:center;justify-content:center;padding:1.5rem;text-align:center}
`;

/** As strict as that of the dashboard: no script, one style, and only pictures and media of the service itself. */
export const SHARE_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(SHARE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
