import { describe, expect, it } from 'vitest';
import type { MediaDeletion } from '#contract/resources/media.ts';
import { deletionResultMessage } from './deletion-messages.ts';

const deletion = (fields: Partial<MediaDeletion>): MediaDeletion => ({
  object: 'media_deletion',
  dry_run: false,
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
describe('deletionResultMessage', () => {
  it('counts deleted and kept files', () => {
    const deleted = [{ id: 'ast_a', used_by_count: 1 }];
    expect(
      deletionResultMessage(
        deletion({ deleted, size_bytes: 12_000_000, kept: [busy('ast_c', 'gen_1'), notFound] }),
        false,
      ),
    ).toEqual({
      title: '1 file deleted',
      detail: '12.0 MB freed. 1 file kept because unfinished work uses it. 1 file was already deleted.',
    });
    expect(deletionResultMessage(deletion({ deleted, size_bytes: 12_000_000 }), true)).toEqual({
      title: '1 file moved to the trash',
    });
    expect(deletionResultMessage(deletion({ kept: [notFound] }), true).title).toBe('Nothing was deleted');
  });
});
