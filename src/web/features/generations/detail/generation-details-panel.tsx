import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, Link } from '@tanstack/react-router';
import { generationQuery, cachedGeneration } from '#web/api/queries/generations.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { WhenLoaded } from '#web/api/when-loaded.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CopyAddressButton, CopyButton } from '#web/ui/controls/copy-button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { Generation, Asset } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { workName } from '#web/forms/inputs/describe-input.ts';
import { AttemptsSection } from './attempts-section.tsx';
import { RequestNotice } from '#web/budgets/request-notice.tsx';
import { canRetryGeneration } from '../use-generation-actions.ts';
import { CostSection } from './cost-section.tsx';
import { GenerationDetailsActions } from './generation-details-actions.tsx';
import { FactsSection } from './facts-section.tsx';
import { ENGINE_LABELS, isPreviewResult } from '#web/forms/models/engine-labels.ts';
import { InputSection } from '#web/forms/inputs/input-section.tsx';
import { GenerationOutcome } from './generation-outcome.tsx';
import { useState } from 'react';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { reviewQuery, upstreamQuery } from '#web/api/queries/review.ts';
import { formatProviderCost } from '#web/upstream/format-provider-cost.ts';
import { DecisionNote } from '#web/upstream/decision-note.tsx';
import { CorrectedCost } from '#web/upstream/corrected-cost.tsx';
import { UpstreamFacts } from '#web/upstream/upstream-facts.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { LibraryBig, Star, Workflow } from 'lucide-react';
import { CredentialsSection } from '#web/media/credentials/credentials-section.tsx';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { mediaQuery } from '#web/api/queries/media.ts';

/** Tools and previews never use a provider. */
const canHaveProviderJob = ({ model, task, started_at, output }: Generation) =>
  started_at !== null && (model !== null || task === 'social.search') && !isPreviewResult({ output });

function UpstreamSection({ generation }: { generation: Generation }) {
  const { id, status, error } = generation;
  const [canSeeJob, canSeeReview] = [useCan('costs.read'), useCan('reviews.read')];
  const job = useQuery({ ...upstreamQuery(generation), enabled: canSeeJob && canHaveProviderJob(generation) }).data;
  const isFinished = status === 'succeeded' || status === 'failed';
  const mayHaveReview = isFinished && (job !== undefined || error?.code === 'rejected');
  const review = useQuery({ ...reviewQuery(id), enabled: canSeeReview && mayHaveReview }).data;
  return (
    <>
      {review?.decision ? (
        <Section title="Review">
          <p className="mb-2 text-sm text-ink-2">{review.reason}</p>
          <DecisionNote review={review} />
        </Section>
      ) : null}
      {job ? (
        <Section title="Provider">
          <p className="mb-2.5 text-sm text-ink-2">{formatProviderCost(job, generation.usage.refunded_usd)}</p>
          <UpstreamFacts job={job} />
        </Section>
      ) : null}
      {job && job.corrections.length > 0 ? (
        <Section title="Corrected cost">
          <CorrectedCost job={job} />
        </Section>
      ) : null}
    </>
  );
}

export function GenerationDetailsPanel() {
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/generations', search: (search) => search, resetScroll: false });

  return <Panel key={id} id={id} onClose={close} />;
}

interface PanelProps {
  id: string;
  onClose: () => void;
}

function Panel(props: PanelProps) {
  return (
    <SidePanel label="Open generation">
      <RequireSession to="see this generation">
        <DetailContent {...props} />
      </RequireSession>
    </SidePanel>
  );
}

function DetailContent({ id, onClose }: PanelProps) {
  const names = useCatalogNames();
  const client = useQueryClient();
  const query = useQuery({
    ...generationQuery(id),
    // The list already has most of it while the detail loads.
    placeholderData: () => cachedGeneration(client, id),
  });
  const { data: generation, refetch } = query;
  const problem = queryError(query);
  return (
    <>
      <SidePanelHeader
        title={generation ? workName(generation, names) : 'Generation'}
        badge={generation ? <StatusBadge status={generation.status} progress={generation.progress} /> : null}
        actions={<CopyAddressButton path={`/generations/${id}`} />}
        onClose={onClose}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {generation ? (
          <GenerationDetails generation={generation} />
        ) : isNotFound(problem) ? (
          <EmptyState title="Generation not found" actions={<Button onClick={onClose}>Back to generations</Button>}>
            The link may be wrong, or it belongs to another organization.
          </EmptyState>
        ) : problem ? (
          <LoadError what="This generation" error={problem} onRetry={() => void refetch()} />
        ) : (
          <GenerationDetailsSkeleton />
        )}
      </div>
    </>
  );
}

function GenerationDetailsSkeleton() {
  return (
    <Loading label="Loading generation">
      <Skeleton className="aspect-square max-h-[50dvh] w-full rounded-md" />
      <span className="mt-3 flex gap-2">
        <Skeleton className="h-9 w-28" />
        <Skeleton className="h-9 w-36" />
      </span>
      <span className="mt-8 block">
        <SkeletonText lines={3} />
      </span>
      <Skeleton className="mt-8 h-24 w-full" />
    </Loading>
  );
}

function GenerationDetails({ generation }: { generation: Generation }) {
  const asset = generation.output.assets.find(({ removed_at }) => !removed_at);
  return (
    <div className="flex flex-col gap-3">
      <GenerationOutcome generation={generation} />
      <WhenLoaded ids={[generation.id, 'get_settings', ...(asset ? [asset.id] : [])]} className="flex flex-col gap-7">
        <div className="flex flex-col gap-3">
          {canRetryGeneration(generation) ? (
            <RequestNotice matches={(order) => order.retry_of === generation.id} />
          ) : null}
          {isPreviewResult(generation) ? (
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-3">
              <Badge>{ENGINE_LABELS.preview.label}</Badge>
              An example drawn on this machine, not made by an AI model.
            </p>
          ) : null}
          <GenerationDetailsActions generation={generation} />
          {asset ? <LibraryActions asset={asset} /> : null}
        </div>
        <InputSection generation={generation} />
        <CostSection generation={generation} />
        <UpstreamSection generation={generation} />
        <AttemptsSection generation={generation} />
        <FactsSection generation={generation} />
        {asset ? <CredentialsSection mediaId={asset.id} /> : null}
        <RawJson generation={generation} />
      </WhenLoaded>
    </div>
  );
}

/** Renders the JSON only once it is opened, because it can be long. */
function RawJson({ generation }: { generation: Generation }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure summary="JSON" onToggle={(event) => setOpen(event.currentTarget.open)}>
      {open ? <JsonBlock text={JSON.stringify(generation, null, 2)} /> : null}
    </Disclosure>
  );
}

function JsonBlock({ text }: { text: string }) {
  return (
    <div className="relative">
      <span className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={text} label="Copy JSON" />
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take focus */}
      <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-relaxed">
        {text}
      </pre>
    </div>
  );
}

const iconClass = 'size-4';
const linkClass = buttonClass({ variant: 'ghost', size: 'sm' });

function LibraryActions({ asset }: { asset: Pick<Asset, 'id'> }) {
  const { data } = useQuery(mediaQuery(asset.id));
  const star = useToggleStar();
  const canChange = useCan('work.create');
  if (!data) return null;
  const { count } = data.used_by;
  return (
    <div className="-mx-2.5 flex flex-wrap items-center">
      {canChange ? (
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={data.favourite}
          icon={
            <Star aria-hidden="true" className={data.favourite ? 'size-4 fill-amber text-amber-text' : iconClass} />
          }
          onClick={() => void star(data)}
        >
          {data.favourite ? 'Starred' : 'Star'}
        </Button>
      ) : null}
      <Link to="/library" search={{ item: asset.id }} className={linkClass}>
        <LibraryBig aria-hidden="true" className={iconClass} />
        In the library
      </Link>
      <Link to="/library" search={{ item: asset.id, show: 'lineage' }} className={linkClass}>
        <Workflow aria-hidden="true" className={iconClass} />
        Lineage{count > 0 ? ` · used ${count === 1 ? 'once' : `${count} times`}` : ''}
      </Link>
    </div>
  );
}
