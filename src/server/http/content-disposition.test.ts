import { expect, it } from 'vitest';
import { NO_SOURCE } from '#server/studio/assets/media-name.ts';
import { contentDisposition } from './content-disposition.ts';

const medium = {
  id: 'ast_1',
  type: 'image',
  filename: null,
  ...NO_SOURCE,
  generation: null,
  created_at: new Date('2026-11-24T10:00:00Z'),
  mime_type: 'image/png',
  storage_key: 'assets/ast_1.png',
} as const;

it.each(['image/png', 'image/jpeg', 'image/webp', 'video/mp4', 'audio/mpeg'])('%s is shown inline', (mime_type) => {
  expect(contentDisposition({ ...medium, mime_type }, false)).toMatch(/^inline;/);
});

it.each(['image/svg+xml', 'text/html', 'application/pdf', 'application/octet-stream'])(
  '%s is a download',
  (mime_type) => {
    expect(contentDisposition({ ...medium, mime_type }, false)).toMatch(/^attachment;/);
  },
);

it('names outputs by their id', () => {
  expect(contentDisposition(medium, true)).toBe('attachment; filename="emulsion-ast_1.png"');
});

it('encodes any file name safely', () => {
  const named = (filename: string) => contentDisposition({ ...medium, filename }, true);
  expect(named('a "b"\\c.png')).toBe(`attachment; filename="a _b__c.png"; filename*=UTF-8''a%20%22b%22%5Cc.png`);
  expect(named('Möwe.png')).toBe(`attachment; filename="M_we.png"; filename*=UTF-8''M%C3%B6we.png`);
  expect(named('x\r\nset-cookie: y')).not.toMatch(/[\r\n]/);
});

it.each([
  ['invoice.html', 'invoice.png'],
  ['invoice.HTM', 'invoice.png'],
  ['invoice.png.exe', 'invoice.png.png'],
  ['invoice.html.', 'invoice.html.png'],
  ['photo.jpeg', 'photo.png'],
  ['PHOTO.PNG', 'PHOTO.png'],
  ['version 1.2', 'version 1.2.png'],
  ['no extension', 'no extension.png'],
  ['.html', 'emulsion-ast_1.png'],
  ['', 'emulsion-ast_1.png'],
  ['invoice\u202egnp.html', 'invoicegnp.png'],
  ['in\u200bvo\u00adi\ufeffce\u200d.html\u2069', 'invoice.png'],
])('names %j by the stored type without invisible characters: %j', (filename, name) => {
  for (const download of [true, false]) {
    const kind = download ? 'attachment' : 'inline';
    expect(contentDisposition({ ...medium, filename }, download)).toBe(`${kind}; filename="${name}"`);
  }
});

it('keeps joiners that belong to a script', () => {
  const named = decodeURIComponent(contentDisposition({ ...medium, filename: 'می\u200cخواهم 👩\u200d🚀.jpg' }, true));
  expect(named).toMatch(/filename\*=UTF-8''می\u200cخواهم 👩\u200d🚀\.png$/);
});

it('names a result by date and prompt, or by its source and what was done to it', () => {
  const generation = { task: 'image.create', prompt: 'A red fox: "Reynard"/2' } as const;
  expect(contentDisposition({ ...medium, generation }, true)).toBe(
    'attachment; filename="2026-11-24 A red fox Reynard 2.png"',
  );
  const trimmed = {
    ...medium,
    source_name: 'Fox',
    edits: ['trimmed', 'lip sync'],
    generation: { task: 'video.lipsync' as const, prompt: null },
  };
  expect(decodeURIComponent(contentDisposition(trimmed, true))).toContain("''2026-11-24 Fox – trimmed, lip sync.png");
  const renamed = contentDisposition({ ...medium, generation, filename: 'Hero.png' }, true);
  expect(renamed).toBe('attachment; filename="Hero.png"');
});
