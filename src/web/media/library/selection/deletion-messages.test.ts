import { describe, expect, it } from 'vitest';
import type { MediaDeletion } from '#contract/resources/media.ts';
import { deletionConsequences, blockingGenerationIds, deletionResultMessage } from './deletion-messages.ts';

const deletion = (fields: Partial<MediaDeletion>): MediaDeletion => ({
  object: 'media_deletion',
  dry_run: true,
  deleted: [],
  kept: [],
  size_bytes: 0,
  ...fields,
});
const busy = (id: string, ...generation_ids: string[]) => ({
  id,
  reason: 'in_use' as const,
  message: 'Needed.',
  generation_ids,
});
const notFound = { id: 'ast_z', reason: 'not_found' as const, message: 'Gone.', generation_ids: [] };
const media = new Map([
  ['ast_a', { origin: 'generated' as const }],
  ['upl_b', { origin: 'upload' as const }],
]);

describe('deletionConsequences', () => {
  it('describes one file that was never used', () => {
    const deleted = [{ id: 'upl_b', used_by_count: 0 }];
    expect(deletionConsequences(deletion({ deleted, size_bytes: 34_000_000 }), media)).toEqual([
      '1 file (34.0 MB) will be deleted for everyone in the organization.',
    ]);
  });

  it('describes several files that were used, generated, in use or deleted already', () => {
    const deleted = [
      { id: 'ast_a', used_by_count: 2 },
      { id: 'upl_b', used_by_count: 0 },
    ];
    const kept = [busy('ast_c', 'gen_1', 'gen_2'), busy('ast_d', 'gen_2'), notFound];
    const plan = deletion({ deleted, kept, size_bytes: 2_000 });
    expect(deletionConsequences(plan, media)).toEqual([
      '2 files (2 kB) will be deleted for everyone in the organization.',
      '1 of them was used as input 2 times. Results made with it are kept. Running them again requires another file.',
      'The generation of 1 of them stays in Generations, with prompt and cost.',
      '2 files are used by unfinished work and will be kept.',
      '1 file is already deleted.',
    ]);
    expect(blockingGenerationIds(plan)).toEqual(['gen_1', 'gen_2']);
  });

  it('deletes nothing if all files are in use', () => {
    const plan = deletion({ kept: [busy('ast_c', 'gen_1')] });
    expect(deletionConsequences(plan, media)).toEqual(['1 file is used by unfinished work and will be kept.']);
  });
});

describe('deletionResultMessage', () => {
  it('counts deleted and kept files', () => {
    const deleted = [{ id: 'ast_a', used_by_count: 1 }];
    expect(
      deletionResultMessage(deletion({ deleted, size_bytes: 12_000_000, kept: [busy('ast_c', 'gen_1'), notFound] })),
    ).toEqual({
      title: '1 file deleted',
      detail: '12.0 MB freed. 1 file kept because unfinished work uses it. 1 file was already deleted.',
    });
    expect(deletionResultMessage(deletion({ kept: [notFound] })).title).toBe('Nothing was deleted');
  });
});
