import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Run } from './runs.ts';
import { addRun } from './runs.ts';
import { retryRun } from './restart-run.ts';
import { toRunProblem } from './start-generation-run.ts';
import { NetworkError } from '#web/api/api-errors.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite' } };
const PROBLEMS = [
  { code: 'approval_required', message: 'An administrator has to approve it.', unsure: false },
  { code: 'budget_exceeded', message: 'Above the budget.', unsure: false },
  { code: 'network', message: 'No response.', unsure: true },
] as const;

let sent: { path: string; body: unknown; idempotency_key: string | null }[];
let items: Map<string, string>;
let count = 0;

beforeEach(() => {
  sent = [];
  items = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit) => {
    const idempotency_key = new Headers(headers).get('idempotency-key');
    sent.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null, idempotency_key });
    const error = { code: 'approval_required', message: 'Not yet.', details: [] };
    return Response.json({ error }, { status: 402 });
  });
});

function newRun(change: Partial<Run>): Run {
  const id = `run-${(count += 1)}`;
  const order = { body: ORDER, idempotency_key: id };
  const run = { id, order, startedAtMs: 0, generation_id: null, problem: PROBLEMS[0], ...change };
  addRun(run);
  return run;
}

const storedRuns = () => new Map<string, Run>(JSON.parse(items.get('emulsion.runs') ?? '[]') as [string, Run][]);

it.each(PROBLEMS)('retries the generation again after a retry had the problem $code', async (problem) => {
  const run = newRun({ problem, retry_of: 'gen_1' });
  retryRun(new QueryClient(), run);
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.path).toBe('/v1/generations/gen_1/retry');
  expect(sent[0]?.idempotency_key === run.id).toBe(problem.unsure);
  const id = sent[0]?.idempotency_key ?? '';
  await expect.poll(() => storedRuns().get(id)?.problem?.message).toBe('Not yet.');
  expect(storedRuns().get(id)?.retry_of).toBe('gen_1');
});

it('places a new generation after a new generation had a problem', async () => {
  retryRun(new QueryClient(), newRun({}));
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ path: '/v1/generations', body: { task: 'image.create', input: ORDER.input } });
});

it('does not know whether a request without a response took effect', () => {
  expect(toRunProblem(new NetworkError(new TypeError('Failed to fetch'))).unsure).toBe(true);
});
