import { describe, expect, it } from 'vitest';
import type { Share } from '#contract/resources/share.ts';
import {
  describeLifetime,
  describeShare,
  expiryDays,
  formatAnswers,
  formatViews,
  isPlainLink,
} from './share-labels.ts';

describe('texts of share pages', () => {
  it('say what visitors find', () => {
    const page = { allow_downloads: false, show_prompts: false, show_organization: false };
    const nothing = { ...page, asks_for: null, has_code: false };
    expect(describeShare(nothing)).toBe('Previews only');
    expect(describeShare({ ...nothing, allow_downloads: true, show_prompts: true })).toBe(
      'Full quality and downloads, prompts',
    );
    expect(describeShare({ ...nothing, asks_for: 'approval', has_code: true })).toBe(
      'Asks for approval with a code, previews only',
    );
  });

  it('count views', () => {
    expect([0, 1, 2_000].map(formatViews)).toEqual(['No views yet', '1 view', '2,000 views']);
  });

  it('count files that were answered', () => {
    expect(formatAnswers({ answered_count: 3, file_count: 4 })).toBe('3 of 4 answered');
  });

  it('have no days for a page without end', () => {
    expect([expiryDays('7'), expiryDays('never')]).toEqual([7, null]);
  });
});

describe('links that are copied', () => {
  const nowMs = Date.parse('2026-11-29T12:00:00Z');
  const plain: Share = {
    object: 'share',
    id: 'shr_1',
    status: 'active',
    url: 'https://studio.example/s/1',
    media_id: 'ast_1',
    media_ids: ['ast_1'],
    collection_id: null,
    name: null,
    cover: null,
    title: null,
    show_prompts: false,
    allow_downloads: true,
    show_organization: false,
    asks_for: null,
    has_code: false,
    versions: [],
    answer_count: 0,
    file_count: 1,
    answered_count: 0,
    expires_at: '2026-12-20T12:00:00Z',
    created_at: '2026-11-20T12:00:00Z',
    created_by: { id: 'key_1', name: 'Ana', person: null },
    revoked_at: null,
    view_count: 0,
    last_viewed_at: null,
  };

  it('say until when they work', () => {
    expect(describeLifetime(plain.expires_at)).toBe('It works until December 20, 2026.');
    expect(describeLifetime(null)).toBe('It works until you end it.');
  });

  it('use an open page of the file alone that asks for nothing', () => {
    expect(isPlainLink(plain, 'ast_1', nowMs)).toBe(true);
    expect(isPlainLink({ ...plain, expires_at: null }, 'ast_1', nowMs)).toBe(true);
    for (const other of [
      { media_id: null },
      { url: null },
      { status: 'off' as const },
      { asks_for: 'picks' as const },
      { allow_downloads: false },
      { expires_at: '2026-11-29T20:00:00Z' },
    ])
      expect(isPlainLink({ ...plain, ...other }, 'ast_1', nowMs)).toBe(false);
  });

  it('are never the signed address of a file', async () => {
    const sources = import.meta.glob<string>('/src/web/**/*.tsx', { query: '?raw', import: 'default' });
    const texts = await Promise.all(Object.values(sources).map((load) => load()));
    expect(texts.length).toBeGreaterThan(100);
    for (const text of texts) expect(text).not.toMatch(/<CopyButton[^>]{0,200}assetSrc/);
  });
});
