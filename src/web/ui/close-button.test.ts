import { expect, test } from 'vitest';

const sources = Object.entries(
  import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true }),
);
const pathsWith = (pattern: RegExp) =>
  sources
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => path)
    .toSorted();

test('every dialog asks before it loses typed text: Modal renders it, and CloseButton closes it', () => {
  expect(pathsWith(/from '@base-ui\/react\/(alert-)?dialog'/)).toEqual([
    './overlays/dialog.tsx',
    './overlays/modal.tsx',
  ]);
  const dialogs = pathsWith(/<(Modal|Dialog|FormDialog|ConfirmDialog)\b/);
  expect(dialogs.length).toBeGreaterThan(30);
  expect(pathsWith(/label="Close"/).filter((path) => dialogs.includes(path))).toEqual([]);
});
