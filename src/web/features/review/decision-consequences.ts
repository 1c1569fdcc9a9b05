import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Review } from '#contract/resources/review.ts';
import { formatReferenceCount } from '#web/forms/format-field-value.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { engineName } from '#web/upstream/engine-name.ts';

type ReviewedGeneration = Pick<Generation, 'task' | 'model' | 'created_by'>;
type ReviewSummary = Pick<Review, 'amount_usd' | 'charge_usd' | 'output' | 'upstream'>;

export const modelLabel = ({ task, model }: Pick<Generation, 'task' | 'model'>) =>
  model ? MODEL_NAMES[model] : TASKS[task].name;

/** Why the held files can't be the result, as a sentence; null where they can. */
export function unusableOutputReason(
  { task }: Pick<Generation, 'task'>,
  { output: { assets, data } }: Pick<Review, 'output'>,
) {
  const { output, media_type } = TASKS[task];
  const takes_none = output.min_assets === 0;
  if (assets.length === 0 && !takes_none) return 'There is no held file.';
  if (assets.some(({ type }) => type !== media_type))
    return `The held file is not ${formatReferenceCount(media_type, 1).replace('1', 'a')}, so it can’t be the result.`;
  if (assets.length < output.min_assets || (output.max_assets !== null && assets.length > output.max_assets))
    return `There are ${assets.length} held files; this task has ${output.max_assets === 1 ? 'one' : `at least ${output.min_assets}`}.`;
  return isMissingData({ task }, data) ? MISSING_DATA_MESSAGE : null;
}

export const MISSING_DATA_MESSAGE = 'The provider returned no data, which the result needs. This can only be rejected.';

/** Whether a part of the result is missing that no upload can stand for. */
export const isMissingData = ({ task }: Pick<Generation, 'task'>, data: Review['output']['data']) =>
  (TASKS[task].output.data === 'search' || TASKS[task].output.data === 'scenes') && data === null;

const WEBHOOK_NOTICE = 'Webhooks are sent. A decision is final.';
const isZero = (amount_usd: string) => parseUsd(amount_usd) === 0n;

const fileBecomesResultMessage = (count: number) =>
  count === 1 ? 'The held file becomes the result.' : `The ${count} held files become the result.`;

const fileDeletionMessage = (count: number) =>
  count === 1 ? 'The held file is deleted permanently.' : `The ${count} held files are deleted permanently.`;

const jobCancellationMessages = ({ upstream }: ReviewSummary) =>
  upstream?.state === 'accepted' ? [`The job still running at “${engineName(upstream)}” is canceled.`] : [];

/**
 * What approving does to money and files, a sentence each.
 * @param uploads how many uploads take the place of what is held; null: what is held counts
 */
export function approvalConsequences(
  asked: ReviewedGeneration,
  review: ReviewSummary,
  uploads: number | null,
): string[] {
  const { amount_usd, charge_usd, output } = review;
  const back = parseUsd(amount_usd) - parseUsd(charge_usd);
  const count = output.assets.length;
  return [
    `${isZero(charge_usd) ? 'Nothing' : formatMoney(charge_usd)} is charged${back > 0n ? `; ${formatMoney(formatUsd(back))} of the reservation is released` : ''}.`,
    ...(uploads === null
      ? [count === 0 ? 'The results found become the result.' : fileBecomesResultMessage(count)]
      : [
          uploads === 1 ? 'The uploaded file becomes the result.' : 'The uploaded files become the result.',
          ...(count > 0 ? [fileDeletionMessage(count)] : []),
        ]),
    ...jobCancellationMessages(review),
    `${asked.created_by.name} sees it as succeeded. ${WEBHOOK_NOTICE}`,
  ];
}

/** What rejecting does, likewise. */
export function rejectionConsequences(asked: ReviewedGeneration, review: ReviewSummary): string[] {
  const { amount_usd, output, upstream } = review;
  const cost = upstream?.cost_usd ?? null;
  return [
    isZero(amount_usd)
      ? 'Nothing is charged.'
      : `Nothing is charged; the reserved ${formatMoney(amount_usd)} is released.`,
    ...(output.assets.length > 0 ? [fileDeletionMessage(output.assets.length)] : []),
    ...(upstream === null
      ? []
      : [
          cost === null
            ? 'The provider may still charge you for it.'
            : isZero(cost)
              ? 'The provider charges nothing either.'
              : `The provider still charges you ${formatMoney(cost)}.`,
        ]),
    ...jobCancellationMessages(review),
    `${asked.created_by.name} sees it as failed and can retry it. ${WEBHOOK_NOTICE}`,
  ];
}
