import { expect, it } from 'vitest';
import type { Asset } from '#contract/resources/generation.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { readResults } from './read-results.ts';

const asset = (id: string, url: string): Asset => ({
  id,
  type: 'image',
  url,
  mime_type: 'image/png',
  expires_at: null,
  width: 8,
  height: 8,
  duration_seconds: null,
  size_bytes: 90,
});
const steps = [
  { key: 'a', generation_id: 'gen_a', items: null, assets: [asset('ast_0', '/new/0'), asset('ast_1', '/new/1')] },
  {
    key: 'b',
    generation_id: null,
    assets: [asset('ast_2', '/new/2')],
    items: [{ generation_id: 'gen_b', assets: [asset('ast_2', '/new/2')] }],
  },
] as unknown as WorkflowRun['steps'];

it('returns files with fresh links and the generations that created them', () => {
  const output = { cover: asset('ast_1', '/old/1'), all_of_them: [asset('ast_0', '/old/0'), asset('ast_2', '/old/2')] };
  expect(readResults({ output, steps })).toEqual([
    { name: 'Cover', kind: 'files', files: [{ asset: asset('ast_1', '/new/1'), generation_id: 'gen_a', index: 1 }] },
    {
      name: 'All of them',
      kind: 'files',
      files: [
        { asset: asset('ast_0', '/new/0'), generation_id: 'gen_a', index: 0 },
        { asset: asset('ast_2', '/new/2'), generation_id: 'gen_b', index: 0 },
      ],
    },
  ]);
});

it('finds the files of a whole step output', () => {
  const output = { result: { assets: [asset('ast_0', '/old/0')], data: { width: 8 } } };
  expect(readResults({ output, steps })).toMatchObject([{ name: 'Result', kind: 'files', files: [{ index: 0 }] }]);
});

it('returns other values unchanged and omits empty ones', () => {
  const output = { title: 'A day', count: 3, poster: null, more: [] };
  expect(readResults({ output, steps })).toEqual([
    { name: 'Title', kind: 'data', value: 'A day' },
    { name: 'Count', kind: 'data', value: 3 },
  ]);
  expect(readResults({ output: null, steps })).toEqual([]);
});
