import { expect, it } from 'vitest';
import { formatRelativeTime } from '#web/ui/display/relative-time.tsx';
import { lastValidTime, restrictionValues, toRestrictions } from './key-fields.tsx';

it('lists the last day that was chosen, not the midnight after it', () => {
  const day = '2027-03-31';
  const { expires_at } = toRestrictions({ read_only: false, tasks: [], models: [], expires_at: day });
  const nowMs = Date.parse('2026-11-24T12:00:00Z');
  const listed = formatRelativeTime(Date.parse(lastValidTime(expires_at ?? '')), nowMs, true);
  expect(listed).toBe('Mar 31, 2027');
  expect(restrictionValues({ scopes: null, expires_at }).expires_at).toBe(day);
});
