import { useCallback, useMemo, useState } from 'react';
import type { InputContract } from '#contract/task.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { RowList } from '#web/ui/display/row-list.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { type ColumnTarget, targetLabel } from '../rows/match-columns.ts';
import { useColumnTags } from '../rows/use-column-tags.ts';
import type { CheckedRow } from './check-rows.ts';
import { OptionList } from './order-cell.tsx';
import { gridColumns, isWide, OrderRow, type OrderRowActions, type UsedColumn, usedColumns } from './order-row.tsx';

/** Two lines of a prompt, and two of a problem; one line where nothing can be edited. */
const ROW_REM = { editable: 6.25, fixed: 4.75 };
const ignoreEnd = () => undefined;

interface OrderListProps {
  rows: readonly CheckedRow[];
  problemCount: number;
  targets: readonly ColumnTarget[];
  contract: InputContract;
  /** Whether a cell can have several lines. */
  hasLines: boolean;
  actions: OrderRowActions;
}

/** The orders of a batch, row by row, with their prices and problems. */
export function OrderList({ rows, problemCount, targets, contract, hasLines, actions }: OrderListProps) {
  const names = useCatalogNames();
  const tags = useColumnTags();
  const [filter, setFilter] = useState<'all' | 'problems'>('all');
  const onlyProblems = filter === 'problems' && problemCount > 0;
  const columns = useMemo(() => usedColumns(targets, contract, tags), [targets, contract, tags]);
  const shown = useMemo(
    () => (onlyProblems ? rows.filter(({ state }) => state === 'problem') : rows),
    [rows, onlyProblems],
  );
  const labelOf = useCallback((target: ColumnTarget) => targetLabel(target, contract, tags), [contract, tags]);
  const renderRow = useCallback(
    (checked: CheckedRow) => (
      <OrderRow
        checked={checked}
        columns={columns}
        hasLines={hasLines}
        names={names}
        labelOf={labelOf}
        actions={actions}
      />
    ),
    [columns, hasLines, names, labelOf, actions],
  );
  return (
    <>
      {problemCount > 0 ? (
        <SegmentedControl
          label="Rows"
          size="sm"
          value={onlyProblems ? 'problems' : 'all'}
          onChange={setFilter}
          options={[
            { value: 'all', label: `All ${formatNumber(rows.length)}` },
            {
              value: 'problems',
              label: problemCount === 1 ? '1 problem' : `${formatNumber(problemCount)} problems`,
            },
          ]}
          className="mb-2"
        />
      ) : null}
      <div className="-mx-4 overflow-x-auto border-t border-line md:mx-0">
        <div style={{ minWidth: `${minWidthRem(columns)}rem` }}>
          {columns.map(({ field }) =>
            field?.kind === 'choice' ? <OptionList key={field.name} field={field} /> : null,
          )}
          {columns.length > 1 ? <ColumnHeads columns={columns} /> : null}
          <RowList
            label="Orders"
            items={shown}
            rowRem={actions.edit ? ROW_REM.editable : ROW_REM.fixed}
            hasMore={false}
            more={null}
            onNearEnd={ignoreEnd}
          >
            {renderRow}
          </RowList>
        </div>
      </div>
    </>
  );
}

const minWidthRem = (columns: readonly UsedColumn[]) =>
  columns.reduce((sum, { field }) => sum + (isWide(field) ? 12.5 : 7), 5.5);

/** Hidden from screen readers because every box has its own name. */
function ColumnHeads({ columns }: { columns: readonly UsedColumn[] }) {
  return (
    <div
      aria-hidden="true"
      className="flex h-8 items-center gap-2 border-b border-line pr-9 pl-12 text-xs font-medium text-ink-3"
    >
      <div className="grid min-w-0 flex-1 gap-2" style={{ gridTemplateColumns: gridColumns(columns) }}>
        {columns.map(({ at, label }) => (
          <span key={at} className="truncate">
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
