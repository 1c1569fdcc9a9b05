import { expect, it } from 'vitest';
import type { CredentialReport, CredentialStep } from '#contract/resources/credentials.ts';
import { renderItemCredentials, renderVerifyPage } from './render-page.ts';
import { renderReport } from './render-report.ts';

const STEP: CredentialStep = {
  title: 'Harbor',
  generator: 'Emulsion',
  signer: 'Emulsion',
  is_own: true,
  signed_at: '2026-08-02T10:00:00Z',
  problem: null,
  identities: [],
  task: 'video.create',
  model: 'Veo 3.1',
  provider: 'Google',
  prompt: null,
  actions: [{ action: 'c2pa.created', at: null, software: 'Veo 3.1', source_type: 'trainedAlgorithmicMedia' }],
  ai: 'generated',
  thumbnail: null,
  ingredients: [],
};
const REPORT: CredentialReport = {
  object: 'credential_report',
  state: 'valid',
  problem: null,
  ai: 'generated',
  steps: [STEP],
  has_more_steps: false,
};
const text = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/ +/g, ' ');

it('says in plain words what was done, by which model, and who signed when', () => {
  const trimmed: CredentialStep = {
    ...STEP,
    title: 'Trimmed harbor',
    model: null,
    provider: null,
    actions: [
      { action: 'c2pa.opened', at: null, software: null, source_type: null },
      { action: 'c2pa.trimmed', at: null, software: 'Emulsion', source_type: null },
      { action: 'org.example.polish', at: null, software: null, source_type: null },
    ],
    ingredients: [
      { title: 'Harbor', relationship: 'parent', step: 1, problem: null },
      { title: 'horn.wav', relationship: 'part', step: null, problem: null },
    ],
  };
  const shown = text(renderReport({ ...REPORT, steps: [trimmed, STEP], has_more_steps: true }));
  for (const each of [
    'Valid: unchanged since it was signed',
    'AI-generated',
    '1. Trimmed harbor',
    'Opened from “Harbor” (step 2)',
    'Trimmed ',
    'org.example.polish',
    'Contains “horn.wav” (without credentials)',
    'Created by Veo 3.1 (Google)',
    'Signed by this installation with Emulsion, Aug 2, 2026, 10:00 AM UTC',
    'Older steps are not listed.',
  ])
    expect(shown).toContain(each);
  expect(shown).not.toMatch(/Trimmed by|Made from/);
});

it('shows no ids in place of names', () => {
  const own = { ...STEP, title: 'ast_01m8bk63wqzwxqef94gzy7mzm3.png' };
  const edited: CredentialStep = {
    ...own,
    actions: [{ action: 'c2pa.opened', at: null, software: null, source_type: null }, ...STEP.actions],
    ingredients: [
      { title: own.title, relationship: 'parent', step: 1, problem: null },
      { title: 'upl_01m8bk63wqzwxqef94gzy7mzm3', relationship: 'input', step: null, problem: null },
    ],
  };
  const shown = text(renderReport({ ...REPORT, steps: [edited, own] }));
  for (const each of ['1. Opened from step 2', 'Input of the model: a file without credentials', '2. Created by'])
    expect(shown).toContain(each);
  expect(shown).not.toMatch(/(?:ast|upl)_/);
});

it('names another signer as its certificate does', () => {
  const foreign = { ...STEP, is_own: false, signer: 'Camera Inc.', signed_at: 'soon' };
  expect(text(renderReport({ ...REPORT, steps: [foreign] }))).toContain(
    'Signed by Camera Inc. (name in the certificate) with Emulsion, at an unknown time',
  );
});

it('marks steps that were changed before they came here, and names identities as not verified', () => {
  const source: CredentialStep = {
    ...STEP,
    title: null,
    is_own: false,
    problem: 'changed',
    identities: [
      { name: 'Ann Artist', is_faulty: false },
      { name: null, is_faulty: true },
    ],
  };
  const edited: CredentialStep = {
    ...STEP,
    ingredients: [
      { title: 'Harbor', relationship: 'input', step: 1, problem: 'changed' },
      { title: 'Hill', relationship: 'input', step: null, problem: 'invalid' },
    ],
  };
  const problem = 'Something that this file was made from was changed.';
  const shown = text(renderReport({ ...REPORT, state: 'history_problem', problem, steps: [edited, source] }));
  for (const each of [
    'Unchanged since it was signed, but its history has a problem',
    problem,
    'Input of the model: “Hill” (with faulty credentials)',
    '2. Created by Veo 3.1 (Google)',
    'Changed before it came here',
    'Identity of “Ann Artist”: not verified',
    'Identity of an unnamed person: does not fit this file',
  ])
    expect(shown).toContain(each);
});

it('escapes every text of a file', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u{d800}';
  const step: CredentialStep = {
    ...STEP,
    title: hostile,
    generator: hostile,
    signer: hostile,
    is_own: false,
    signed_at: hostile,
    model: hostile,
    provider: hostile,
    prompt: hostile,
    identities: [{ name: hostile, is_faulty: false }],
    thumbnail: `data:image/png;base64,${hostile}`,
    actions: [
      { action: hostile, at: hostile, software: hostile, source_type: hostile },
      { action: 'c2pa.opened', at: null, software: null, source_type: null },
    ],
    ingredients: [{ title: hostile, relationship: 'parent', step: 7, problem: null }],
  };
  const report: CredentialReport = { ...REPORT, state: 'changed', problem: hostile, steps: [step] };
  for (const page of [
    renderVerifyPage(report),
    renderVerifyPage(null, hostile),
    renderItemCredentials(`/s/${hostile}`, report),
  ]) {
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script|<img src=x/);
    expect(page.isWellFormed()).toBe(true);
  }
});
