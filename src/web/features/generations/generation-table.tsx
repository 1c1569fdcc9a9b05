import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { RowCreator } from '#web/collections/creator.tsx';
import type { useGenerationList } from '#web/api/queries/generations.ts';
import type { Column } from '#web/collections/list-columns.ts';
import { ResourceList, type ResourceListProps } from '#web/collections/resource-list.tsx';
import { GenerationCost } from '#web/forms/generation-cost.tsx';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatDuration } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import type { useListCursor } from '#web/ui/use-list-cursor.ts';
import { type SelectProps, selectOnClick, SelectTick } from './bulk/select-tick.tsx';
import { RowAction } from './row-action.tsx';
import type { GenerationActions } from './use-generation-actions.ts';

const NARROW = {
  columns: '3rem auto auto minmax(0,1fr) auto',
  areas: ['thumb text text text action', 'thumb status cost time action'],
};

interface GenerationTableProps extends Omit<SelectProps, 'isSelected'> {
  list: ReturnType<typeof useGenerationList>;
  cursor: ReturnType<typeof useListCursor>;
  selectedIds: ReadonlyMap<string, unknown>;
  openId: string | undefined;
  actions: GenerationActions;
  /** Height of the sticky toolbar. */
  coveredPx: number;
  empty: ReactNode;
  sorting: NonNullable<ResourceListProps<Generation>['sorting']>;
}

export function GenerationTable({
  list,
  cursor,
  openId,
  selectedIds,
  coveredPx,
  empty,
  sorting,
  ...rest
}: GenerationTableProps) {
  const columns = useColumns({ ...rest, openId, selectedIds, onFocus: cursor.onFocus });
  const rowProps = useCallback(
    ({ id }: Generation) => ({
      className: cx(
        'group/row',
        selectedIds.has(id) && 'bg-hover',
        id === openId && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      ),
    }),
    [openId, selectedIds],
  );
  return (
    <ResourceList
      label="Generations"
      list={list}
      columns={columns}
      narrow={NARROW}
      rowRem={4.25}
      what="Your generations"
      older="Older generations"
      loadingLabel="Loading generations"
      skeletonRows={10}
      empty={empty}
      cursor={cursor}
      coveredPx={coveredPx}
      sorting={sorting}
      rowProps={rowProps}
    />
  );
}

type ColumnOptions = Pick<GenerationTableProps, 'openId' | 'actions' | 'select' | 'isSelecting' | 'selectedIds'> & {
  onFocus: (id: string) => void;
};

function useColumns(options: ColumnOptions): readonly Column<Generation>[] {
  const { openId, actions, select, isSelecting, selectedIds, onFocus } = options;
  const names = useCatalogNames();
  return useMemo(() => {
    const selecting = ({ id }: Generation) => ({ select, isSelecting, isSelected: selectedIds.has(id) });
    return [
      {
        id: 'thumb',
        width: '3rem',
        className: 'relative',
        skeleton: 'size-12',
        cell: (generation) => (
          <>
            <GenerationThumbnail generation={generation} className="size-12 rounded-sm" />
            <SelectTick {...selecting(generation)} generation={generation} title={summarizeInput(generation, names)} />
            <RowCreator
              created_by={generation.created_by}
              isCompact
              className="absolute -right-1 -bottom-1 z-1 @3xl:hidden"
            />
          </>
        ),
      },
      {
        id: 'text',
        header: 'Prompt',
        width: 'minmax(0,1fr)',
        line: 1,
        className: 'min-w-0 pb-0.5',
        skeleton: 'text',
        cell: (generation) => (
          <Link
            to="/generations/$id"
            params={{ id: generation.id }}
            search={(search) => search}
            resetScroll={false}
            replace={generation.id === openId}
            data-row=""
            dir="auto"
            aria-current={generation.id === openId || undefined}
            onFocus={() => onFocus(generation.id)}
            onClick={selectOnClick(selecting(generation), generation)}
            className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus @3xl:line-clamp-2 @3xl:whitespace-normal"
          >
            {summarizeInput(generation, names)}
          </Link>
        ),
      },
      {
        id: 'kind',
        header: 'Task and model',
        width: '10.5rem',
        from: 'wide',
        className: 'min-w-0',
        skeleton: 'h-4 w-28',
        cell: ({ task, model }) => (
          <>
            <span className="block truncate text-sm text-ink-2">{names.task(task)}</span>
            {model ? <span className="block truncate text-xs text-ink-3">{names.model(model)}</span> : null}
          </>
        ),
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
        cell: (generation) => <RowAction generation={generation} actions={actions} />,
      },
    ];
  }, [openId, actions, select, isSelecting, selectedIds, onFocus, names]);
}
