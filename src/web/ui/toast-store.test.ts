import { beforeEach, expect, it } from 'vitest';
import { dismissToast, showToast, toastStore } from './toast-store.ts';

const titles = () => toastStore.get().map(({ title }) => title);
beforeEach(() => toastStore.set([]));

it('drops the oldest passing message for a fifth, never an error that stays', () => {
  showToast({ title: 'Not saved', tone: 'bad' });
  for (const title of ['1', '2', '3', '4']) showToast({ title });
  expect(titles()).toEqual(['Not saved', '2', '3', '4']);
  for (const title of ['a', 'b', 'c', 'd']) showToast({ title, tone: 'bad' });
  expect(titles()).toEqual(['Not saved', 'a', 'b', 'c', 'd']);
  const id = showToast({ title: 'Saved' });
  expect(titles()).toEqual(['Not saved', 'a', 'b', 'c', 'd', 'Saved']);
  dismissToast(id);
  showToast({ title: 'Passing', tone: 'bad', duration_ms: 1_000 });
  showToast({ title: 'Saved' });
  expect(titles()).toEqual(['Not saved', 'a', 'b', 'c', 'd', 'Saved']);
});
