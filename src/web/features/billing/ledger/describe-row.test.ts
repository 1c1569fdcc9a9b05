import { expect, it } from 'vitest';
import type { LedgerEntry, LedgerLine } from '#contract/resources/ledger.ts';
import { describeRow, entryIdOf } from './describe-row.ts';

const key = { id: 'key_1', name: 'CI' };
const work = { person: { id: 'per_1', name: 'Ana' }, prompt: 'A harbour', tags: { client: 'Acme', project: 'Spring' } };
const times = { created_at: '2026-11-21T08:00:00.000Z', workflow_run_id: null, generation_id: 'gen_1' };
const entry: LedgerEntry = {
  ...times,
  balance_after_usd: '9.91',
  id: 'led_3',
  object: 'ledger_entry',
  type: 'SETTLE',
  amount_usd: '-0.09',
  available_after_usd: '9.91',
  description: 'Create an image',
  seq: 3,
  key,
  created_by: key,
  ...work,
};
const line: LedgerLine = {
  ...times,
  charged_usd: '0.09',
  entry_count: 4,
  task: 'image.create',
  model: null,
  last_entry_at: times.created_at,
  id: 'led_1',
  object: 'ledger_line',
  status: 'partly_refunded',
  amount_usd: '-0.05',
  refunded_usd: '0.04',
  reason: 'Too dark',
  seqs: [1, 2, 3, 8],
  first_seq: 1,
  last_seq: 4,
  last_entry_id: 'led_4',
  description: 'Create an image',
  key,
  created_by: key,
  ...work,
};

it('describes an entry with its prompt, number and whose it is', () => {
  expect(describeRow(entry)).toMatchObject({
    title: 'A harbour',
    detail: 'Create an image',
    number: '#3',
    who: 'Ana',
    tags: 'Acme · Spring',
    afterUsd: '9.91',
  });
  expect(entryIdOf(entry)).toBe('led_3');
});

it('describes a refund by its reason and by who made it', () => {
  const refund: LedgerEntry = {
    ...entry,
    type: 'REFUND',
    description: 'Too dark',
    created_by: { id: 'key_2', name: 'Eve' },
  };
  expect(describeRow(refund)).toMatchObject({ title: 'Too dark', detail: 'A harbour', who: 'Ana, by Eve' });
});

it('describes a line with its entries and refunds, and opens its last entry', () => {
  expect(describeRow(line)).toMatchObject({
    title: 'A harbour',
    detail: 'Create an image · $0.04 refunded: Too dark',
    number: '#1, #2, #3, #8',
    afterUsd: null,
  });
  expect(entryIdOf(line)).toBe('led_4');
  const credit: LedgerLine = {
    ...line,
    status: 'credited',
    prompt: null,
    person: null,
    description: 'Budget',
    seqs: [1],
    entry_count: 1,
    last_seq: 1,
  };
  expect(describeRow(credit)).toMatchObject({ title: 'Budget', detail: '', number: '#1', who: 'CI' });
});
