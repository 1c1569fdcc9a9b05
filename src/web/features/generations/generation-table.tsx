import { GenerationTableRow, generationRowGrid } from './generation-table-row.tsx';
import { GenerationTableSkeleton } from './generation-list-skeletons.tsx';
import type { SelectProps } from './bulk/select-tick.tsx';
import type { GenerationActions } from './use-generation-actions.ts';
import { RowList } from '#web/ui/row-list.tsx';
import type { Generation } from '#contract/resources/generation.ts';
import { cx } from '#web/ui/cx.ts';

const GENERATION_ROW_REM = 4.25;

export interface GenerationListProps extends Omit<SelectProps, 'isSelected'> {
  selectedIds: ReadonlyMap<string, unknown>;
  generations: readonly Generation[];
  ids: readonly string[];
  openId: string | undefined;
  /** Index of the row with the keyboard cursor; −1 for none. */
  cursor: number;
  actions: GenerationActions;
  onFocus: (id: string) => void;
  hasMore: boolean;
  onNearEnd: () => void;
  /** Height of the sticky toolbar. */
  covered_px: number;
  /** Scrolls to a row, once per object. */
  reveal: { index: number } | null;
}

export function GenerationTable(props: GenerationListProps) {
  const { generations, openId, cursor, actions, onFocus, hasMore, covered_px, reveal, onNearEnd } = props;
  const { select, isSelecting, selectedIds } = props;
  const list = { hasMore, covered_px, reveal, onNearEnd };
  return (
    <>
      <GenerationTableHead />
      <RowList
        label="Generations"
        items={generations}
        row_rem={GENERATION_ROW_REM}
        keptIndex={cursor}
        more={<GenerationTableSkeleton rows={3} />}
        {...list}
      >
        {(generation) => (
          <GenerationTableRow
            generation={generation}
            isOpen={generation.id === openId}
            actions={actions}
            onFocus={onFocus}
            select={select}
            isSelecting={isSelecting}
            isSelected={selectedIds.has(generation.id)}
          />
        )}
      </RowList>
    </>
  );
}

/** Hidden from screen readers because every row names its own cells. */
export function GenerationTableHead() {
  return (
    <div
      aria-hidden="true"
      className={cx(generationRowGrid, 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 @3xl:grid')}
    >
      <span className="[grid-area:text]">Prompt</span>
      <span className="[grid-area:kind]">Task and model</span>
      <span className="[grid-area:status]">Status</span>
      <span className="text-right [grid-area:cost]">Cost</span>
      <span className="text-right [grid-area:time]">Created</span>
    </div>
  );
}
