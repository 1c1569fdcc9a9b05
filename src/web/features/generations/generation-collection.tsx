import { Link } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { createContext, use } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { useGenerationList } from '#web/api/queries/generations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { defineCollection, type EmptyProps } from '#web/collections/collection-view.tsx';
import { RowCreator } from '#web/collections/creator.tsx';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { GenerationCost } from '#web/forms/money/generation-cost.tsx';
import { workTitle } from '#web/forms/inputs/describe-input.ts';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatDuration } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { type SelectProps, selectOnClick, SelectTick } from './bulk/select-tick.tsx';
import { GENERATION_FILTERS } from './generation-search.ts';
import { RowAction } from './row-action.tsx';
import type { GenerationActions } from './use-generation-actions.ts';

export interface GenerationRowsState extends Omit<SelectProps, 'isSelected'> {
  selectedIds: ReadonlyMap<string, unknown>;
  openId: string | undefined;
  actions: GenerationActions;
}

/** What the cells of the table share beside their row. */
export const GenerationRowsContext = createContext<GenerationRowsState | null>(null);

interface CellProps {
  generation: Generation;
}

function ThumbnailCell({ generation }: CellProps) {
  const names = useCatalogNames();
  const rows = use(GenerationRowsContext);
  return (
    <>
      <GenerationThumbnail generation={generation} className="size-12 rounded-sm" />
      {rows ? (
        <SelectTick
          {...rows}
          isSelected={rows.selectedIds.has(generation.id)}
          generation={generation}
          title={workTitle(generation, names)}
        />
      ) : null}
      <RowCreator
        created_by={generation.created_by}
        isCompact
        className="absolute -right-1 -bottom-1 z-1 @3xl:hidden"
      />
    </>
  );
}

function PromptCell({ generation }: CellProps) {
  const { id } = generation;
  const names = useCatalogNames();
  const rows = use(GenerationRowsContext);
  const isOpen = rows?.openId === id;
  return (
    <Link
      to="/generations/$id"
      params={{ id }}
      search={(search) => search}
      resetScroll={false}
      replace={isOpen}
      dir="auto"
      aria-current={isOpen || undefined}
      onClick={rows ? selectOnClick({ ...rows, isSelected: rows.selectedIds.has(id) }, generation) : undefined}
      {...ROW_LINK}
      className={cx(ROW_LINK.className, 'block truncate font-medium @3xl:line-clamp-2 @3xl:whitespace-normal')}
    >
      {workTitle(generation, names)}
    </Link>
  );
}

function KindCell({ generation: { task, model } }: CellProps) {
  const names = useCatalogNames();
  return (
    <>
      <span className="block truncate text-sm text-ink-2">{names.task(task)}</span>
      {model ? <span className="block truncate text-xs text-ink-3">{names.model(model)}</span> : null}
    </>
  );
}

function ActionCell({ generation }: CellProps) {
  const rows = use(GenerationRowsContext);
  return rows ? <RowAction generation={generation} actions={rows.actions} /> : null;
}

const COLUMNS: readonly Column<Generation>[] = [
  {
    id: 'thumb',
    width: '3rem',
    className: 'relative',
    skeleton: 'size-12',
    cell: (generation) => <ThumbnailCell generation={generation} />,
  },
  {
    id: 'text',
    header: 'Prompt',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 pb-0.5',
    skeleton: 'text',
    cell: (generation) => <PromptCell generation={generation} />,
  },
  {
    id: 'kind',
    header: 'Task and model',
    width: '10.5rem',
    from: 'wide',
    className: 'min-w-0',
    skeleton: 'h-4 w-28',
    cell: (generation) => <KindCell generation={generation} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: '7.5rem',
    line: 2,
    className: 'pt-0.5',
    skeleton: 'h-5 w-18',
    cell: ({ status, progress }) => <StatusBadge status={status} progress={progress} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    sort: 'duration',
    width: '5.5rem',
    from: 'widest',
    align: 'right',
    className: 'text-sm text-ink-3',
    skeleton: 'h-4 w-12',
    cell: ({ started_at, completed_at }) => formatDuration(started_at, completed_at) ?? '–',
  },
  {
    id: 'cost',
    header: 'Cost',
    sort: 'cost',
    width: '5.5rem',
    line: 2,
    align: 'right',
    className: 'relative z-1 pt-1 text-sm',
    skeleton: 'h-4 w-12',
    cell: ({ usage }) => <GenerationCost usage={usage} />,
  },
  {
    id: 'time',
    header: 'Created',
    sort: 'created_at',
    width: '6rem',
    line: 2,
    align: 'right',
    className: 'relative z-1 flex min-w-0 pt-1 text-sm text-ink-3 @3xl:flex-col @3xl:items-end @3xl:gap-0.5',
    skeleton: 'h-4 w-14',
    cell: ({ created_at, created_by }) => (
      <>
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:hidden" />
      </>
    ),
  },
  {
    id: 'action',
    width: '4rem',
    className: 'relative z-1',
    cell: (generation) => <ActionCell generation={generation} />,
  },
];

function NoGenerations({ onShowEverybody }: EmptyProps<typeof GENERATION_FILTERS>) {
  const canCreate = useCan('work.create');
  return (
    <EmptyState
      icon={<Images aria-hidden="true" />}
      title={onShowEverybody ? 'You have no generations yet' : 'No generations yet'}
      actions={
        <>
          {canCreate ? (
            <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
              Create something
            </Link>
          ) : null}
          {onShowEverybody ? (
            <ShowEverybodyButton onClick={onShowEverybody} />
          ) : (
            <Link to="/models" className={buttonClass()}>
              View models and prices
            </Link>
          )}
        </>
      }
    >
      {onShowEverybody
        ? 'What you create appears here, with its cost.'
        : canCreate
          ? 'Everything you and your team create appears here, with its cost.'
          : 'Everything your team creates appears here, with its cost.'}
    </EmptyState>
  );
}

export const GENERATIONS = defineCollection({
  label: 'Generations',
  item: 'row',
  what: 'Your generations',
  filters: GENERATION_FILTERS,
  useList: useGenerationList,
  body: {
    columns: COLUMNS,
    narrow: {
      columns: '3rem auto auto minmax(0,1fr) auto',
      areas: ['thumb text text text action', 'thumb status cost time action'],
    },
    rowRem: 4.25,
  },
  skeletonRows: 10,
  Empty: NoGenerations,
});
