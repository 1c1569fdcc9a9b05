import { expect, it } from 'vitest';
import { disposition } from './disposition.ts';

const medium = { id: 'ast_1', filename: null, mime_type: 'image/png', storage_key: 'assets/ast_1.png' };

it.each(['image/png', 'image/jpeg', 'image/webp', 'video/mp4', 'audio/mpeg'])(
  '%s may be shown in place',
  (mime_type) => {
    expect(disposition({ ...medium, mime_type }, false)).toMatch(/^inline;/);
  },
);

it.each(['image/svg+xml', 'text/html', 'application/pdf', 'application/octet-stream'])('%s may not', (mime_type) => {
  expect(disposition({ ...medium, mime_type }, false)).toMatch(/^attachment;/);
});

it('names what was made here by its id', () => {
  expect(disposition(medium, true)).toBe('attachment; filename="emulsion-ast_1.png"');
});

it('carries any name without leaving the header', () => {
  const named = (filename: string) => disposition({ ...medium, filename }, true);
  expect(named('a "b"\\c.png')).toBe(`attachment; filename="a _b__c.png"; filename*=UTF-8''a%20%22b%22%5Cc.png`);
  expect(named('Möwe.png')).toBe(`attachment; filename="M_we.png"; filename*=UTF-8''M%C3%B6we.png`);
  expect(named('x\r\nset-cookie: y')).not.toMatch(/[\r\n]/);
});
