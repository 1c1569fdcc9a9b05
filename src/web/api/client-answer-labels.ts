import type { ClientAnswer } from '#contract/resources/media.ts';
import type { ClientVerdict } from '#contract/statuses.ts';

/** In the order of the attention that they need. */
export const CLIENT_VERDICT_LABELS = {
  changes_requested: 'Changes requested',
  approved: 'Approved',
  picked: 'Picked',
  commented: 'Commented',
} as const satisfies Record<ClientVerdict, string>;

/** The answer that needs most attention; null without answers. */
export const mainVerdict = (answers: readonly ClientAnswer[]): ClientVerdict | null =>
  (Object.keys(CLIENT_VERDICT_LABELS) as ClientVerdict[]).find((verdict) =>
    answers.some((answer) => answer.verdict === verdict),
  ) ?? null;

export const describeAnswers = (answers: readonly ClientAnswer[]): string =>
  answers
    .map(({ verdict, client_name }) => `${CLIENT_VERDICT_LABELS[verdict].toLowerCase()} by ${client_name}`)
    .join(', ');
