import { expect, it } from 'vitest';

const SOURCES = import.meta.glob<string>('/src/web/**/*.tsx', { query: '?raw', import: 'default', eager: true });

it('finds video and audio elements in the player alone', () => {
  const files = Object.entries(SOURCES);
  expect(files.length).toBeGreaterThan(100);
  const withElements = files.filter(([, source]) => /<(?:video|audio)\b/.test(source)).map(([file]) => file);
  expect(withElements).toEqual(['/src/web/media/player/media-element.tsx']);
});
