import { expect, it } from 'vitest';
import type { ClientAnswer } from '#contract/resources/media.ts';
import type { ClientVerdict } from '#contract/statuses.ts';
import { describeAnswers, mainVerdict } from '#web/api/client-answer-labels.ts';

const answer = (verdict: ClientVerdict, client_name: string): ClientAnswer => ({
  id: 'ans_1',
  object: 'share_answer',
  share_id: 'shr_1',
  media_id: 'upl_1',
  client_name,
  verdict,
  comment: null,
  created_at: '2026-11-24T10:00:00.000Z',
});

it('shows the answer that needs most attention, and names who gave each', () => {
  const answers = [answer('approved', 'Ana'), answer('changes_requested', 'Bo'), answer('commented', 'Cy')];
  expect(mainVerdict(answers)).toBe('changes_requested');
  expect(mainVerdict([])).toBeNull();
  expect(describeAnswers(answers)).toBe('approved by Ana, changes requested by Bo, commented by Cy');
});
