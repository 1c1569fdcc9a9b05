import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { RowCreator } from '#web/api/creator.tsx';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { GenerationCost } from '#web/forms/generation-cost.tsx';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { type SelectProps, selectOnClick, SelectTick } from './bulk/select-tick.tsx';
import { RowAction } from './row-action.tsx';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import type { GenerationActions } from './use-generation-actions.ts';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Two lines in narrow containers, columns in wide ones. The virtual list needs a fixed row height. */
export const generationRowGrid = cx(
  "grid items-center gap-x-2 px-1 @md:gap-x-3 @md:px-3 [grid-template-areas:'thumb_text_text_text_action'_'thumb_status_cost_time_action'] grid-cols-[3rem_auto_auto_minmax(0,1fr)_auto]",
  "@3xl:[grid-template-areas:'thumb_text_kind_status_cost_time_action'] @3xl:grid-cols-[3rem_minmax(0,1fr)_10.5rem_7.5rem_5.5rem_6rem_4rem] @3xl:gap-x-4",
);

interface GenerationTableRowProps extends SelectProps {
  generation: Generation;
  isOpen: boolean;
  actions: GenerationActions;
  onFocus: (id: string) => void;
}

export const GenerationTableRow = memo(function GenerationTableRow({
  generation,
  isOpen,
  actions,
  onFocus,
  ...selecting
}: GenerationTableRowProps) {
  const names = useCatalogNames();
  const { id, task, model, status, progress, usage, created_at, created_by } = generation;
  const text = summarizeInput(generation, names);
  return (
    <div
      data-row-id={id}
      className={cx(
        generationRowGrid,
        'group/row relative h-full border-b border-line transition-colors hover:bg-hover has-[a[data-row]:focus-visible]:bg-hover',
        selecting.isSelected && 'bg-hover',
        isOpen && 'bg-press! shadow-[inset_2px_0_0_var(--amber)]',
      )}
    >
      <div className="relative [grid-area:thumb]">
        <GenerationThumbnail generation={generation} className="size-12 rounded-sm" />
        <SelectTick {...selecting} generation={generation} title={text} />
        <RowCreator created_by={created_by} is_compact className="absolute -right-1 -bottom-1 z-1 @3xl:hidden" />
      </div>
      <div className="min-w-0 self-end pb-0.5 [grid-area:text] @3xl:self-center @3xl:pb-0">
        <Link
          to="/generations/$id"
          params={{ id }}
          search={(search) => search}
          resetScroll={false}
          replace={isOpen}
          data-row=""
          dir="auto"
          aria-current={isOpen || undefined}
          onFocus={() => onFocus(id)}
          onClick={selectOnClick(selecting, generation)}
          className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus @3xl:line-clamp-2 @3xl:whitespace-normal"
        >
          {text}
        </Link>
      </div>
      <div className="hidden min-w-0 [grid-area:kind] @3xl:block">
        <span className="block truncate text-sm text-ink-2">{names.task(task)}</span>
        {model ? <span className="block truncate text-xs text-ink-3">{names.model(model)}</span> : null}
      </div>
      <div className="self-start pt-0.5 [grid-area:status] @3xl:self-center @3xl:pt-0">
        <StatusBadge status={status} progress={progress} />
      </div>
      <div className="relative z-1 self-start pt-1 text-right text-sm [grid-area:cost] @3xl:self-center @3xl:pt-0">
        <GenerationCost usage={usage} />
      </div>
      <div className="relative z-1 flex min-w-0 self-start pt-1 text-sm text-ink-3 [grid-area:time] @3xl:flex-col @3xl:items-end @3xl:gap-0.5 @3xl:self-center @3xl:pt-0">
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:hidden" />
      </div>
      <div className="relative z-1 [grid-area:action]">
        <RowAction generation={generation} actions={actions} />
      </div>
    </div>
  );
});
