import { TASKS } from '#contract/catalog.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Review } from '#contract/resources/review.ts';
import { mediaNounWithArticle } from '#web/media/format-media.ts';
import { providerName } from '#web/upstream/provider-name.ts';

type ReviewedGeneration = Pick<Generation, 'task' | 'model' | 'created_by'>;
type ReviewSummary = Pick<Review, 'amount_usd' | 'charge_usd' | 'output' | 'upstream'>;

/** Explains why the received files cannot be the result; null if they can. */
export function unusableOutputReason(
  { task }: Pick<Generation, 'task'>,
  { output: { assets, data, files = [] } }: Pick<Review, 'output'>,
) {
  const { output, media_type } = TASKS[task];
  const allowsNone = output.min_assets === 0;
  const count = assets.length + files.length;
  if (count === 0 && !allowsNone) return 'No file was received.';
  if (assets.some(({ type }) => type !== media_type))
    return `The received file is not ${mediaNounWithArticle(media_type)}, so it can’t be the result.`;
  if (count < output.min_assets || (output.max_assets !== null && count > output.max_assets))
    return `${count} files were received; this task produces ${output.max_assets === 1 ? 'one' : `at least ${output.min_assets}`}.`;
  return isMissingData({ task }, data) ? MISSING_DATA_MESSAGE : null;
}

export const MISSING_DATA_MESSAGE =
  'The provider returned no data, so there is no result to approve. You can only reject it.';

/** Whether the result lacks data, which an upload cannot replace. */
export const isMissingData = ({ task }: Pick<Generation, 'task'>, data: Review['output']['data']) =>
  (TASKS[task].output.data === 'search' || TASKS[task].output.data === 'scenes') && data === null;

const WEBHOOK_NOTICE = 'Webhooks are sent. This can’t be undone.';
const isZero = (amountUsd: string) => parseUsd(amountUsd) === 0n;

const fileBecomesResultMessage = (count: number) =>
  count === 1 ? 'The received file becomes the result.' : `The ${count} received files become the result.`;

const fileKeptMessage = (count: number) =>
  count === 1
    ? 'The file that can’t be shown stays with the result, for download.'
    : `The ${count} files that can’t be shown stay with the result, for download.`;

const fileDeletionMessage = (count: number) =>
  count === 1 ? 'The received file is deleted permanently.' : `The ${count} received files are deleted permanently.`;

const jobCancellationMessages = ({ upstream }: ReviewSummary) =>
  upstream?.state === 'accepted' ? [`The job still running at “${providerName(upstream)}” is canceled.`] : [];

/**
 * Lists what an approval does to money and files, one sentence each.
 * @param uploads number of uploads that replace the received files; null keeps the received ones
 */
export function approvalConsequences(
  generation: ReviewedGeneration,
  review: ReviewSummary,
  uploads: number | null,
): string[] {
  const { amount_usd, charge_usd, output } = review;
  const released = parseUsd(amount_usd) - parseUsd(charge_usd);
  const count = output.assets.length;
  const fileCount = output.files?.length ?? 0;
  return [
    `${isZero(charge_usd) ? 'Nothing' : formatMoney(charge_usd)} is charged${released > 0n ? `; ${formatMoney(released)} of the reservation is released` : ''}.`,
    ...(uploads === null
      ? count > 0
        ? [fileBecomesResultMessage(count)]
        : fileCount > 0
          ? []
          : ['The received data becomes the result.']
      : [
          uploads === 1 ? 'The uploaded file becomes the result.' : 'The uploaded files become the result.',
          ...(count > 0 ? [fileDeletionMessage(count)] : []),
        ]),
    ...(fileCount > 0 ? [fileKeptMessage(fileCount)] : []),
    ...jobCancellationMessages(review),
    `${generation.created_by.name} sees it as succeeded. ${WEBHOOK_NOTICE}`,
  ];
}

/** Lists what a rejection does to money and files, one sentence each. */
export function rejectionConsequences(generation: ReviewedGeneration, review: ReviewSummary): string[] {
  const { amount_usd, output, upstream } = review;
  const cost = upstream?.cost_usd ?? null;
  const count = output.assets.length + (output.files?.length ?? 0);
  return [
    isZero(amount_usd)
      ? 'Nothing is charged.'
      : `Nothing is charged; the reserved ${formatMoney(amount_usd)} is released.`,
    ...(count > 0 ? [fileDeletionMessage(count)] : []),
    ...(upstream === null
      ? []
      : [
          cost === null
            ? 'The provider may still charge you for it.'
            : isZero(cost)
              ? 'The provider does not charge for it.'
              : `The provider still charges you ${formatMoney(cost)}.`,
        ]),
    ...jobCancellationMessages(review),
    `${generation.created_by.name} sees it as failed and can retry it. ${WEBHOOK_NOTICE}`,
  ];
}
