import { GenerationRow, rowGrid } from './generation-row.tsx';
import { GenerationTableSkeleton } from './list-skeletons.tsx';
import type { GenerationActions } from './use-generation-actions.ts';
import { useRootFontSize } from '#web/ui/use-root-font-size.ts';
import { useWindowList } from '#web/ui/use-window-list.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { cx } from '#web/ui/cx.ts';

export const ROW_REM = 4.25;

export interface GenerationListProps {
  generations: readonly Generation[];
  /** Ids of `generations`. */
  ids: readonly string[];
  openId: string | undefined;
  /** Place of the row the keyboard is at; −1 for none. */
  cursor: number;
  actions: GenerationActions;
  onFocus: (id: string) => void;
  hasMore: boolean;
  onNearEnd: () => void;
  /** Height of what sticks to the top of the window. */
  covered_px: number;
  /** Brings a row into view, once for every new object. */
  reveal: { index: number } | null;
}

/** Generations as rows: one line of facts each, newest first. */
export function GenerationTable(props: GenerationListProps) {
  const { generations, ids, openId, cursor, actions, onFocus, hasMore } = props;
  const rowHeight_px = ROW_REM * useRootFontSize();
  const { ref, height_px, rows } = useWindowList({ ...props, keys: ids, rowHeight_px, keptIndex: cursor });
  return (
    <>
      <GenerationTableHead />
      <ul ref={ref} aria-label="Generations" className="relative" style={{ height: height_px }}>
        {rows.map(({ index, key, top_px }) => {
          const generation = generations[index];
          return generation ? (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : generations.length}
              className="absolute inset-x-0 top-0"
              style={{ height: rowHeight_px, transform: `translateY(${top_px}px)` }}
            >
              <GenerationRow
                generation={generation}
                isOpen={generation.id === openId}
                actions={actions}
                onFocus={onFocus}
              />
            </li>
          ) : null;
        })}
      </ul>
      {hasMore ? <GenerationTableSkeleton rows={3} /> : null}
    </>
  );
}

/** For the eye: to others every row says for itself what its parts are. */
function GenerationTableHead() {
  return (
    <div
      aria-hidden="true"
      className={cx(rowGrid, 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 @3xl:grid')}
    >
      <span className="[grid-area:text]">Prompt</span>
      <span className="[grid-area:kind]">Task and model</span>
      <span className="[grid-area:status]">Status</span>
      <span className="text-right [grid-area:cost]">Cost</span>
      <span className="text-right [grid-area:time]">Made</span>
    </div>
  );
}
