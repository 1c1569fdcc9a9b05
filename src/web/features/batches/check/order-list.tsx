import { useCallback, useMemo, useState } from 'react';
import type { InputContract } from '#contract/task.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { type ColumnTarget, MODEL_TARGET } from '../rows/match-columns.ts';
import type { CheckedRow } from './check-rows.ts';
import { OrderRow, type OrderRowActions, usedColumns } from './order-row.tsx';

/** Two lines of a prompt, and two of a problem. */
const ROW_REM = 7;
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
  const [filter, setFilter] = useState<'all' | 'problems'>('all');
  const onlyProblems = filter === 'problems' && problemCount > 0;
  const columns = useMemo(() => usedColumns(targets, contract), [targets, contract]);
  const shown = useMemo(
    () => (onlyProblems ? rows.filter(({ state }) => state === 'problem') : rows),
    [rows, onlyProblems],
  );
  const labelOf = useCallback(
    (target: ColumnTarget) =>
      target === MODEL_TARGET ? 'Model' : (contract.fields.find(({ name }) => name === target)?.label ?? target),
    [contract],
  );
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
        <div style={{ minWidth: `${columns.reduce((sum, { field }) => sum + (wide(field) ? 14.5 : 8.5), 5.5)}rem` }}>
          <RowList label="Orders" items={shown} row_rem={ROW_REM} hasMore={false} more={null} onNearEnd={ignoreEnd}>
            {renderRow}
          </RowList>
        </div>
      </div>
    </>
  );
}

const wide = (field: { kind: string } | undefined) => field?.kind === 'text' || field?.kind.startsWith('reference');
