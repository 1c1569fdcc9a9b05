import { expect, it } from 'vitest';
import { named } from '#web/uploads/pasted-files.ts';

it('names what has no name of its own by when it was pasted', () => {
  const now = new Date(2026, 10, 3, 9, 5, 7);
  const picture = named(new File(['abc'], 'image.png', { type: 'image/png' }), now);
  expect(picture).toMatchObject({ name: 'Pasted 2026-11-03 at 09.05.07.png', type: 'image/png', size: 3 });
  const file = new File(['abc'], 'cat.png');
  expect(named(file, now)).toBe(file);
});
