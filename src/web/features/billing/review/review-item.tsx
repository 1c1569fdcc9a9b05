import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import type { Review, ReviewDecision } from '#contract/resources/review.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { InputSection } from '#web/forms/inputs/input-section.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { ExactTime, RelativeTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList, Section } from '#web/ui/display/section.tsx';
import { DecisionNote } from '#web/upstream/decision-note.tsx';
import { Money } from '#web/api/money.tsx';
import { formatProviderCost } from '#web/upstream/format-provider-cost.ts';
import { UpstreamFacts } from '#web/upstream/upstream-facts.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { useDialogForm } from '#web/forms/form-dialog.tsx';
import { rejectionConsequences } from './decision-consequences.ts';
import { DecisionDialog, type DecisionValues, EMPTY_DECISION } from './decision-dialog.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';
import { AssetView } from '#web/media/outputs/asset-view.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { ReceivedFiles } from '#web/media/outputs/received-files.tsx';
import { SearchResults } from '#web/media/outputs/search-results.tsx';
import { cx } from '#web/ui/cx.ts';

interface ReviewItemProps {
  generation: Generation;
  review: Review;
}

export function ReviewItem({ generation, review }: ReviewItemProps) {
  const names = useCatalogNames();
  const [openDialog, setOpenDialog] = useState<ReviewDecision | null>(null);
  const [hasConflict, setHasConflict] = useState(false);
  const navigate = useNavigate();
  const undecided = review.decision === null;
  const canDecide = useCan('reviews.decide') && undecided;
  const decide = (decision: ReviewDecision) => {
    if (canDecide) setOpenDialog(decision);
  };
  useCommands(
    canDecide
      ? [
          { group: 'Review', label: 'Approve…', keys: 'a', run: () => decide('approve') },
          { group: 'Review', label: 'Reject…', keys: 'x', run: () => decide('reject') },
        ]
      : [],
  );
  const dialog = {
    generation,
    review,
    onClose: () => setOpenDialog(null),
    onConflict: () => {
      setOpenDialog(null);
      setHasConflict(true);
    },
    onDecided: (next: Generation | undefined) => {
      setOpenDialog(null);
      if (next) void navigate({ to: '/review/$id', params: { id: next.id }, resetScroll: false });
      else void navigate({ to: '/review', resetScroll: false });
    },
  };
  return (
    <>
      <div className="@container min-w-0 flex-1 px-4 pt-4 pb-8 md:px-6">
        {hasConflict ? (
          <div className="mb-4">
            <Callout tone="bad" title="Already decided by someone else">
              Your decision was not saved, and no money or files changed. The saved decision:
            </Callout>
          </div>
        ) : null}
        {undecided ? (
          <Callout tone="amber" title="Why this needs review">
            {review.reason}
          </Callout>
        ) : (
          <DecisionNote review={review} />
        )}
        <div className="mt-6 grid gap-x-8 gap-y-7 @2xl:grid-cols-[minmax(0,1.3fr)_minmax(15rem,1fr)]">
          <div className="flex min-w-0 flex-col gap-7">
            <ReviewOutputs generation={generation} review={review} />
            <InputSection generation={generation} />
          </div>
          <div className="flex min-w-0 flex-col gap-7">
            <MoneySection review={review} />
            <Section title="Details">
              <DescriptionList
                rows={[
                  { name: 'Model', value: names.modelOrTask(generation) },
                  { name: 'Requested by', value: generation.created_by.name },
                  { name: 'Requested', value: <ExactTime at={generation.created_at} /> },
                  { name: 'In review since', value: <RelativeTime at={review.opened_at} /> },
                  ...(undecided ? [] : [{ name: 'Reason', value: review.reason }]),
                ]}
              />
              <Link
                to="/generations/$id"
                params={{ id: generation.id }}
                className="mt-3 inline-block text-sm text-ink-2 underline underline-offset-2 hover:text-ink"
              >
                Open in Generations
              </Link>
            </Section>
          </div>
        </div>
      </div>
      <footer className="sticky bottom-0 z-1 flex flex-none flex-wrap gap-2 border-t border-line bg-canvas px-4 py-3 md:px-6">
        {canDecide ? (
          <>
            <Button variant="primary" onClick={() => decide('approve')}>
              Approve…
            </Button>
            <Button onClick={() => decide('reject')}>Reject…</Button>
          </>
        ) : (
          <Link to="/review" className={buttonClass()}>
            Back to reviews
          </Link>
        )}
      </footer>
      {undecided && openDialog === 'approve' ? <ApproveDialog {...dialog} /> : null}
      {undecided && openDialog === 'reject' ? <RejectDialog {...dialog} /> : null}
    </>
  );
}

function MoneySection({ review }: { review: Review }) {
  const { amount_usd, charge_usd, upstream, decision, billing_status } = review;
  return (
    <>
      <Section title="Cost">
        <DescriptionList
          rows={
            decision === null
              ? [
                  { name: 'Reserved', value: <Money amount_usd={amount_usd} /> },
                  { name: 'Charged if approved', value: <Money amount_usd={charge_usd} /> },
                ]
              : [{ name: 'Charged', value: <Money amount_usd={billing_status === 'settled' ? amount_usd : '0.00'} /> }]
          }
        />
        {upstream ? <p className="mt-2 text-sm text-ink-2">{formatProviderCost(upstream)}</p> : null}
      </Section>
      {upstream ? (
        <Section title="At the provider">
          <UpstreamFacts job={upstream} />
        </Section>
      ) : null}
    </>
  );
}

function RejectDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const form = useDialogForm<DecisionValues>(EMPTY_DECISION);
  const decide = useDecision(props);
  return (
    <DecisionDialog
      form={form}
      title="Reject this generation?"
      generation={generation}
      submitLabel="Reject"
      variant="danger"
      placeholder="The provider confirmed that it was lost"
      consequences={rejectionConsequences(generation, review)}
      onSubmit={({ note }) => decide({ decision: 'reject', note: note.trim() })}
      onClose={onClose}
    />
  );
}

/** The provider's output. Other keys cannot see it before it is approved. */
function ReviewOutputs({ generation: { task }, review: { output, decision } }: ReviewOutputsProps) {
  const { assets, data, files = [] } = output;
  const title = decision?.decision === 'approve' ? 'Result' : 'Received result';
  if (task === 'social.search' && data)
    return (
      <Section title={title}>
        <SearchResults data={data} />
      </Section>
    );
  if (assets.length === 0 && files.length > 0)
    return (
      <Section title={title}>
        <ReceivedFiles files={files} />
      </Section>
    );
  if (assets.length === 0)
    return (
      <Section title={title}>
        <p className="frame-marks px-6 py-10 text-center text-sm text-ink-2">
          {decision === null
            ? 'No file was received. If you have the result, for example from the provider’s site, upload it when you approve.'
            : 'No files.'}
        </p>
      </Section>
    );
  const several = assets.length > 1;
  return (
    <Section title={title}>
      <ul className={cx('grid gap-3', several && 'sm:grid-cols-2')}>
        {assets.map((asset, at) => {
          const label = several ? `Received file ${at + 1}` : 'Received file';
          return (
            <li key={asset.id} className="min-w-0">
              <AssetView asset={asset} label={label} />
              <p className="mt-1 flex items-center justify-between text-xs text-ink-3">
                {asset.mime_type}
                <DownloadLink url={asset.url} label={`Download ${label.toLowerCase()}`} />
              </p>
            </li>
          );
        })}
      </ul>
      {files.length > 0 ? (
        <div className="mt-3">
          <ReceivedFiles files={files} />
        </div>
      ) : null}
    </Section>
  );
}

interface ReviewOutputsProps {
  generation: Generation;
  review: Review;
}
