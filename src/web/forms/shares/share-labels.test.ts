import { describe, expect, it } from 'vitest';
import { describeShare, expiryDays, formatViews } from './share-labels.ts';

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

  it('have no days for a page without end', () => {
    expect([expiryDays('7'), expiryDays('never')]).toEqual([7, null]);
  });
});
