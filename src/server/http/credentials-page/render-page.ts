import type { CredentialReport } from '#contract/resources/credentials.ts';
import { VERIFY_PATH } from '#contract/limits.ts';
import { escapeHtml } from '#server/http/share-page/escape-html.ts';
import { renderDocument, VERIFY_LINK } from '#server/http/share-page/render-document.ts';
import { CREDENTIALS_STYLE } from './credentials-style.ts';
import { renderReport } from './render-report.ts';

const renderPage = (title: string, before: string, parts: string): string =>
  renderDocument({
    title,
    style: CREDENTIALS_STYLE,
    body: `<main><header>${before}<h1>${title}</h1></header>${parts}</main>`,
  });

/** The page of a shared file. @param sharePath where the share is */
export const renderItemCredentials = (sharePath: string, report: CredentialReport): string =>
  renderPage(
    'Content credentials',
    `<p class="by"><a href="${escapeHtml(sharePath)}">Back to the shared files</a></p>`,
    renderReport(report) + VERIFY_LINK,
  );

const INTRO =
  '<p class="intro">Content credentials (C2PA) are signed in a file: how it was made, from what, and whether it was changed since. The file is checked by this service and not kept.</p>';

const FORM = `<form class="verify" method="post" action="${VERIFY_PATH}" enctype="multipart/form-data" aria-label="File to check">
<label for="file">Image, video or audio file of up to 100 MB</label><input id="file" name="file" type="file" required accept="image/*,video/*,audio/*">
<details><summary>The credentials are in a separate .c2pa file</summary><label for="manifest">Its .c2pa file</label><input id="manifest" name="manifest" type="file" accept=".c2pa,application/c2pa"></details>
<button class="main">Check file</button></form>`;

/** @param problem why the file was not checked */
export const renderVerifyPage = (report: CredentialReport | null, problem: string | null = null): string =>
  renderPage(
    'Check content credentials',
    '',
    [
      INTRO,
      problem === null ? '' : `<p class="notice" role="alert">${escapeHtml(problem)}</p>`,
      report === null ? '' : renderReport(report),
      FORM,
    ].join(''),
  );
