import { CircleAlert, X } from 'lucide-react';
import { memo, useId } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { isModelId } from '#web/api/known-models.ts';
import type { CatalogNames } from '#web/api/catalog-names.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { type ColumnTag, type ColumnTarget, IGNORED_TARGET, targetLabel } from '../rows/match-columns.ts';
import type { RowProblem } from '../rows/build-orders.ts';
import type { CheckedRow } from './check-rows.ts';
import { OrderCell } from './order-cell.tsx';

/** A column that fills something. */
export interface UsedColumn {
  at: number;
  target: ColumnTarget;
  label: string;
  field: FieldSpec | undefined;
}

export function usedColumns(
  targets: readonly ColumnTarget[],
  contract: InputContract,
  tags: readonly ColumnTag[],
): UsedColumn[] {
  return targets.flatMap((target, at) => {
    if (target === IGNORED_TARGET) return [];
    const field = contract.fields.find(({ name }) => name === target);
    return [{ at, target, label: targetLabel(target, contract, tags), field }];
  });
}

/** Prompts and links need more room than options. */
export const isWide = (field: FieldSpec | undefined): boolean =>
  field !== undefined && (field.kind === 'text' || 'media' in field);

export const gridColumns = (columns: readonly UsedColumn[]): string =>
  columns.map(({ field }) => (isWide(field) ? 'minmax(12rem, 3fr)' : 'minmax(6.5rem, 1fr)')).join(' ');

export interface OrderRowActions {
  /** null: the rows can't be edited. */
  edit: ((id: string, column: number, text: string) => void) | null;
  leaveOut: (id: string) => void;
}

interface OrderRowProps {
  checked: CheckedRow;
  columns: readonly UsedColumn[];
  hasLines: boolean;
  names: CatalogNames;
  labelOf: (target: ColumnTarget) => string;
  actions: OrderRowActions;
}

export const OrderRow = memo(function OrderRow({ checked, columns, hasLines, names, labelOf, actions }: OrderRowProps) {
  const statusId = useId();
  const { row } = checked;
  const problems = checked.state === 'problem' ? checked.problems : [];
  const { edit } = actions;
  return (
    <div className="flex h-full gap-2 border-b border-line py-1.5 pr-1 pl-2">
      <span className="w-8 flex-none pt-2 text-right text-xs text-ink-3 tabular-nums">
        <span className="sr-only">Row </span>
        {row.number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="grid items-start gap-2" style={{ gridTemplateColumns: gridColumns(columns) }}>
          {columns.map(({ at, target, label, field }) => {
            const text = row.cells[at] ?? '';
            return edit ? (
              <OrderCell
                key={at}
                label={`${label}, row ${row.number}`}
                field={field}
                text={text}
                hasLines={hasLines}
                problemId={problems.some((problem) => problem.target === target) ? statusId : undefined}
                onChange={(next) => edit(row.id, at, next)}
              />
            ) : (
              <span key={at} className="truncate pt-1.5 text-sm">
                {isModelId(text) ? names.model(text) : text}
              </span>
            );
          })}
        </div>
        <RowStatus id={statusId} checked={checked} labelOf={labelOf} />
      </div>
      <IconButton
        size="sm"
        label={`Leave out row ${row.number}`}
        icon={<X aria-hidden="true" className="size-4" />}
        onClick={() => actions.leaveOut(row.id)}
      />
    </div>
  );
});

interface RowStatusProps {
  id: string;
  checked: CheckedRow;
  labelOf: (target: ColumnTarget) => string;
}

function RowStatus({ id, checked, labelOf }: RowStatusProps) {
  if (checked.state === 'problem')
    return (
      <p
        id={id}
        className="sticky left-12 mt-1 flex w-fit max-w-[calc(100vw-7rem)] gap-1.5 text-sm leading-4 text-bad md:max-w-full"
      >
        <CircleAlert aria-hidden="true" className="mt-px size-4 flex-none" />
        <span className="line-clamp-2 min-w-0">{describeProblems(checked.problems, labelOf)}</span>
      </p>
    );
  return (
    <p id={id} className="sticky left-12 mt-1 w-fit text-sm leading-4 text-ink-3 tabular-nums">
      {checked.state === 'checking' ? 'Checking…' : priceText(checked)}
    </p>
  );
}

function priceText({ amount_usd, basis }: Extract<CheckedRow, { state: 'ready' }>): string {
  const money = formatMoney(amount_usd);
  if (basis === 'upper_bound') return `At most ${money}`;
  if (basis === 'lower_bound') return `From ${money}`;
  return Number(amount_usd) === 0 ? 'Free' : money;
}

const describeProblems = (problems: readonly RowProblem[], labelOf: (target: ColumnTarget) => string): string =>
  problems.map(({ target, message }) => (target === null ? message : `${labelOf(target)}: ${message}`)).join(' ') ||
  'This order can’t be started.';
