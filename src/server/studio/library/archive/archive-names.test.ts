import { expect, it } from 'vitest';
import { NO_SOURCE } from '#server/studio/assets/media-name.ts';
import type { MediaRow } from '#server/studio/library/media-rows.ts';
import { createArchiveNames, sidecarName } from './archive-names.ts';

const row = {
  ...NO_SOURCE,
  storage_key: 'uploads/x.png',
  type: 'image',
  created_at: new Date('2026-11-21T10:00:00Z'),
};
const upload = (filename: string | null): MediaRow => ({ ...row, filename, generation: null }) as MediaRow;
const output = (prompt: string | null, task = 'image.create'): MediaRow =>
  ({ ...row, filename: null, generation: { task, prompt } }) as MediaRow;
const nameOf = (medium: MediaRow) => createArchiveNames([medium])[0];

it.each([
  ['cat.jpeg', 'cat.png'],
  ['Früh am Morgen.PNG', 'Früh am Morgen.png'],
  ['Fru\u0308h', 'Früh.png'],
  ['archive.tar.gz', 'archive.tar.png'],
  ['../../etc/passwd', 'etc passwd.png'],
  ['C:\\Windows\\x.png', 'C Windows x.png'],
  ['/absolute.png', 'absolute.png'],
  ['..', 'image.png'],
  ['.htaccess', 'image.png'],
  ['-rf', 'rf.png'],
  ['con.png', 'con_.png'],
  ['LPT1', 'LPT1_.png'],
  ['a<b>c:"d|e?*.png', 'a b c d e.png'],
  ['nul\u0000\r\nX: 1.png', 'nul X 1.png'],
  ['evil\u202egnp.exe', 'evilgnp.png'],
  ['👩\u200d🚀.png', '👩\u200d🚀.png'],
  ['dots...   ', 'dots.png'],
  ['\ud800', '\ufffd.png'],
  ['', 'image.png'],
  [null, 'image.png'],
])('names the upload %j as %j', (given, name) => {
  expect(nameOf(upload(given))).toBe(name);
});

it('names an asset by its date and the start of its prompt, cut between words', () => {
  expect(nameOf(output('a lighthouse\nat dusk'))).toBe('2026-11-21 a lighthouse at dusk.png');
  expect(nameOf(output('../..'))).toBe('2026-11-21 Create an image.png');
  expect(nameOf(output(null, 'video.trim'))).toMatch(/^2026-11-21 \w.*\.png$/);
  const name = nameOf(output('sixteen letters  '.repeat(30))) ?? '';
  expect(name).toMatch(/^2026-11-21 (sixteen letters ?)+\.png$/);
  expect(name.length).toBeLessThan(100);
});

it('keeps names within file system limits without splitting characters', () => {
  const name = nameOf(upload('🐙'.repeat(200))) ?? '';
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name.isWellFormed()).toBe(true);
});

it('makes names unique regardless of case', () => {
  const names = createArchiveNames([
    upload('a.png'),
    upload('A.jpg'),
    upload('a (2).png'),
    upload('a.png'),
    output('a'),
  ]);
  expect(names).toEqual(['a.png', 'A (2).png', 'a (2) (2).png', 'a (3).png', '2026-11-21 a.png']);
});

it('gives a file with a manifest beside it a base name that no other has', () => {
  const named = (id: string, filename: string, extension: string): MediaRow =>
    ({ ...upload(filename), id, storage_key: `outputs/x.${extension}` }) as MediaRow;
  const rows = [
    named('1', 'fox', 'png'),
    named('2', 'Fox', 'mp4'),
    named('3', 'fox', 'wav'),
    named('4', 'fox', 'jpg'),
    named('5', 'v1.2', 'png'),
  ];
  expect(createArchiveNames(rows, new Set(['2', '4', '5']))).toEqual([
    'fox.png',
    'Fox (2).mp4',
    'fox.wav',
    'fox (3).jpg',
    'v1.2.png',
  ]);
  expect(createArchiveNames(rows.slice(1, 3), new Set(['2']))).toEqual(['Fox.mp4', 'fox (2).wav']);
  expect(['Fox (2).mp4', 'v1.2.png'].map(sidecarName)).toEqual(['Fox (2).c2pa', 'v1.2.c2pa']);
});
