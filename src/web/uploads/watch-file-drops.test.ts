import { expect, it } from 'vitest';
import { nameUnnamedFile } from './watch-file-drops.ts';

it('names a pasted image by its time and keeps the name of a file', () => {
  const now = new Date(2026, 10, 3, 9, 5, 7);
  const image = nameUnnamedFile(new File(['abc'], 'image.png', { type: 'image/png' }), now);
  expect(image).toMatchObject({ name: 'Pasted 2026-11-03 at 09.05.07.png', type: 'image/png', size: 3 });
  const file = new File(['abc'], 'cat.png');
  expect(nameUnnamedFile(file, now)).toBe(file);
});
