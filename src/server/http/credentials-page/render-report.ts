import { AI_LABEL_TEXTS, CREDENTIAL_STATE_LABELS, describeSigner, describeStep } from '#contract/credential-labels.ts';
import type { AiLabel, CredentialReport, CredentialState, CredentialStep } from '#contract/resources/credentials.ts';
import { escapeHtml } from '#server/http/share-page/escape-html.ts';

/** Colors alone carry no meaning. */
const ICONS = {
  valid: '✓',
  history_problem: '!',
  changed: '!',
  invalid: '✕',
  none: '–',
  too_complex: '?',
} as const satisfies Record<CredentialState, string>;

/** All texts of a report may be hostile. */
export function renderReport({ state, problem, ai, steps, has_more_steps }: CredentialReport): string {
  const list = steps.map((step, at) => renderStep(step, at, steps)).join('');
  return [
    `<section class="report" aria-label="Result"><p class="verdict ${state}"><span aria-hidden="true">${ICONS[state]}</span> ${CREDENTIAL_STATE_LABELS[state]}</p>`,
    ai === null ? '' : `<p>${renderAiLabel(ai)}</p>`,
    problem === null ? '' : `<p>${escapeHtml(problem)}</p>`,
    list && `<h2>History, the newest first</h2><ol class="steps">${list}</ol>`,
    has_more_steps ? '<p>Older steps are not listed.</p>' : '',
    '</section>',
  ].join('');
}

export const renderAiLabel = (ai: AiLabel): string => `<span class="ai">${AI_LABEL_TEXTS[ai]}</span>`;

function renderStep(step: CredentialStep, at: number, steps: CredentialReport['steps']): string {
  const { thumbnail, prompt, signed_at } = step;
  const { heading, lines } = describeStep(step, steps);
  const items = lines.map((line) => `<li dir="auto">${escapeHtml(line)}</li>`);
  return [
    `<li>${thumbnail === null ? '' : `<img src="${escapeHtml(thumbnail)}" alt="">`}<div>`,
    `<h3 dir="auto"><span class="at">${at + 1}.</span> ${escapeHtml(heading)}</h3>`,
    items.length > 0 ? `<ul>${items.join('')}</ul>` : '',
    prompt === null ? '' : `<p dir="auto">Prompt: ${escapeHtml(prompt)}</p>`,
    `<p class="signer" dir="auto">Signed by ${escapeHtml(describeSigner(step))}${renderTime(signed_at)}</p>`,
    '</div></li>',
  ].join('');
}

const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function renderTime(at: string | null): string {
  const atMs = at === null ? NaN : Date.parse(at);
  return Number.isNaN(atMs)
    ? ', at an unknown time'
    : `, <time datetime="${new Date(atMs).toISOString()}">${TIME.format(atMs)} UTC</time>`;
}
