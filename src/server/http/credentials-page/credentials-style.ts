import { pagePolicy, SHARE_STYLE } from '#server/http/share-page/share-style.ts';

export const CREDENTIALS_STYLE = `${SHARE_STYLE}main{max-width:46rem}
.intro{margin:-1rem 0 1.5rem}
.report{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
.report+form,form+.report{margin-top:1.5rem}
.report p,.report li{overflow-wrap:anywhere}
.verdict{margin:0;font-size:1.125rem;font-weight:600;color:var(--ink)}
.verdict span{display:inline-flex;align-items:center;justify-content:center;width:1.5rem;height:1.5rem;margin-right:.25rem;border-radius:50%;background:var(--sunken);font-size:.875rem}
.verdict.valid span{background:var(--goodsoft);color:var(--good)}
.verdict.history_problem span,.verdict.changed span,.verdict.invalid span{background:var(--ambersoft);color:var(--amber)}
h2{margin:1.25rem 0 .5rem;font-size:1rem;font-weight:600}
.steps{margin:0;padding:0;list-style:none}
.steps>li{display:flex;gap:1rem;padding:.75rem 0;border:0;border-top:1px solid var(--line);border-radius:0;background:none}
.steps>li>div{flex:1;min-width:0}
.steps img{flex:none;width:6rem;height:4.5rem;border-radius:.25rem;object-fit:contain}
.steps h3{margin:0;font-size:.9375rem;font-weight:600;overflow-wrap:anywhere}
.steps .at{color:var(--ink2);font-weight:400}
.steps ul{display:block;margin:.25rem 0 0;padding-left:1.125rem;list-style:disc;font-size:.9375rem}
.steps ul li{border:0;border-radius:0;background:none;overflow:visible}
.steps p{font-size:.9375rem}
.steps .signer{font-size:.875rem}
.verify{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
.verify label{display:block}
.verify input{padding:1.25rem .75rem;border-style:dashed;overflow:hidden}
.verify details{margin:.75rem 0 0}
.verify details input{padding:.625rem .75rem}
.verify button{margin-top:1rem}
@media(max-width:30rem){.steps>li{flex-direction:column;gap:.5rem}}
`;

/** @param hasForm whether the page sends a file to this service */
export const credentialsPolicy = (hasForm: boolean): string =>
  pagePolicy({ style: CREDENTIALS_STYLE, images: "'self' data:", hasForm });
