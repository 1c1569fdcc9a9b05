import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Workflow, ChevronRight, CircleAlert } from 'lucide-react';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/api-errors.ts';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/display/empty-state.tsx';
import { SearchBox } from '#web/ui/controls/search-box.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { MEDIA_ICONS, TASK_ICONS } from '../steps/task-icons.ts';
import { exampleText, formatStarterOutputs, formatPriceFrom, sourceLabel } from './starter-labels.ts';

const starterCardGrid = 'grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))]';

const SEARCH_THRESHOLD = 9;

interface StartersProps {
  q: string;
  onSearch: (q: string) => void;
}

export function Starters({ q, onSearch }: StartersProps) {
  const startersResult = useQuery(startersQuery);
  const { data: starters, refetch } = startersResult;
  const problem = queryError(startersResult);
  const { data: me } = useQuery(meQuery);
  const canCreate = useCan('work.create');
  if (!starters) {
    if (problem) return <LoadError what="Workflows" error={problem} onRetry={() => void refetch()} />;
    return <StartersSkeleton />;
  }
  if (starters.length === 0)
    return (
      <EmptyState
        icon={<Workflow aria-hidden="true" />}
        title="No workflows yet"
        actions={
          canCreate ? (
            <Link to="/workflows/new" className={buttonClass({ variant: 'primary' })}>
              New workflow
            </Link>
          ) : null
        }
      >
        A workflow runs several steps from one short form.
        {canCreate ? ' Create one here, or save one from a generation.' : null}
      </EmptyState>
    );
  const query = q.toLowerCase();
  const matches = starters.filter(({ name, description, slug }) =>
    [name, description, slug].some((text) => text.toLowerCase().includes(query)),
  );
  return (
    <>
      {starters.length >= SEARCH_THRESHOLD || q ? (
        <search aria-label="Find a workflow" className="mb-4 block">
          <SearchBox label="Search workflows" value={q} onChange={onSearch} className="max-w-72" />
        </search>
      ) : null}
      {matches.length === 0 ? (
        <NoMatches action="Clear search" onClear={() => onSearch('')}>
          No workflows match this search.
        </NoMatches>
      ) : (
        <ul aria-label="Workflows" className={starterCardGrid}>
          {matches.map((starter) => (
            <li key={starter.slug} className="flex min-w-0">
              <StarterCard starter={starter} key_id={me?.key.id} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function StartersSkeleton() {
  return (
    <Loading label="Loading workflows" className={starterCardGrid}>
      {Array.from({ length: 4 }, (_, at) => (
        <span key={at} className="flex h-64 flex-col overflow-hidden rounded-md border border-line bg-surface">
          <span className="flex flex-1 flex-col gap-3 p-4">
            <Skeleton className="h-5 w-2/5" />
            <SkeletonText lines={3} />
            <Skeleton className="mt-2 h-5 w-4/5" />
            <Skeleton className="mt-auto h-5 w-24" />
          </span>
        </span>
      ))}
    </Loading>
  );
}

const MAX_STEPS = 6;

function StarterCard({ starter, key_id }: { starter: WorkflowStarter; key_id: string | undefined }) {
  const { slug, name, description, steps, source, makes, available = true, unavailable_reason } = starter;
  const example = exampleText(starter);
  const outputs = formatStarterOutputs(starter);
  const label = sourceLabel(starter, key_id);
  return (
    <article className="relative flex w-full min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-focus">
      <div className="flex flex-1 flex-col p-4">
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 text-md font-semibold wrap-anywhere">
            <Link to="/workflows/$slug" params={{ slug }} className="outline-none after:absolute after:inset-0">
              {name}
            </Link>
          </h2>
          {label ? (
            <span {...tooltipProps(label.description)} className="relative z-1 mt-0.5 flex-none">
              <Badge tone={source === 'own' ? 'amber' : 'neutral'}>{label.label}</Badge>
            </span>
          ) : null}
        </div>
        <p dir="auto" className="mt-1 line-clamp-3 whitespace-pre-line text-ink-2 wrap-anywhere">
          {description}
        </p>
        <ol aria-label="Steps" className="mt-3 flex flex-wrap items-center gap-x-1 gap-y-1.5 text-sm text-ink-2">
          {steps.slice(0, MAX_STEPS).map((step, at) => {
            const Icon = TASK_ICONS[step.task];
            return (
              <li key={step.key} className="flex max-w-full min-w-0 items-center gap-1">
                {at > 0 ? <ChevronRight aria-hidden="true" className="size-3.5 flex-none text-ink-3" /> : null}
                <Icon aria-hidden="true" className="size-4 flex-none stroke-[1.5] text-ink-3" />
                <span className="min-w-0 wrap-anywhere">{step.name}</span>
              </li>
            );
          })}
          {steps.length > MAX_STEPS ? <li className="text-ink-3">and {steps.length - MAX_STEPS} more</li> : null}
        </ol>
        {example ? (
          <p dir="auto" className="mt-3 line-clamp-4 text-sm whitespace-pre-line text-ink-3">
            Example: <q>{example}</q>
          </p>
        ) : null}
        <div className="mt-auto flex items-start gap-3 pt-4">
          {outputs ? (
            <p className="flex min-w-0 items-start gap-1.5 text-sm text-ink-2">
              {makes?.map((kind) => {
                const Icon = MEDIA_ICONS[kind];
                return (
                  <Icon key={kind} aria-hidden="true" className="mt-0.5 size-4 flex-none stroke-[1.5] text-ink-3" />
                );
              })}
              <span>{outputs}</span>
            </p>
          ) : null}
          <p className="ml-auto flex-none font-medium tabular-nums">{formatPriceFrom(starter)}</p>
        </div>
        {available ? null : (
          <p className="mt-3 flex gap-1.5 border-t border-line pt-3 text-sm text-ink-2">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-text" />
            {unavailable_reason ?? 'This can’t run right now.'}
          </p>
        )}
      </div>
    </article>
  );
}
