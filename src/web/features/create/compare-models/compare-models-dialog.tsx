import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { toInput } from '#web/forms/values/form-values.ts';
import { localServiceOrigin, getReferenceInfo } from '#web/api/reference-info.ts';
import { useModelName } from '#web/api/model-names.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { startSideBySide } from '#web/features/create/orders/pending-orders.ts';
import { useCatalog } from '../use-catalog.ts';
import { usePrices } from '#web/features/create/price/use-prices.ts';
import { CompatibleModelList } from './compatible-model-list.tsx';
import { type ModelComparison, compareModels, type IncompatibleModel } from './compare-models.ts';

export interface CompareModelsDialogProps {
  task: TaskId;
  model: AnyModelId;
  form: InputForm;
  signedIn: boolean;
  /** Why nothing can be started; null if it can. */
  disabledReason: string | null;
  onSwitch: (model: AnyModelId) => void;
  onStarted: () => void;
  onClose: () => void;
}

export function CompareModelsDialog(props: CompareModelsDialogProps) {
  const { task, model, form, onClose } = props;
  const catalog = useCatalog();
  const prices = usePrices();
  const comparison = useMemo(
    () =>
      prices &&
      compareModels({
        prices,
        catalog,
        task,
        model,
        values: form.values(),
        validate: parseInput,
        localOrigin: localServiceOrigin(),
        findMediaInfo: getReferenceInfo,
      }),
    [prices, catalog, task, model, form],
  );
  if (comparison) return <CompareModelsContent {...props} comparison={comparison} />;
  return (
    <Dialog open size="lg" title="Compare models" onClose={onClose}>
      <Loading label="Loading prices">
        <SkeletonText lines={6} />
      </Loading>
    </Dialog>
  );
}

function CompareModelsContent({
  comparison: { rows, incompatible },
  task,
  signedIn,
  disabledReason,
  onSwitch,
  onStarted,
  onClose,
  model,
}: CompareModelsDialogProps & { comparison: ModelComparison }) {
  const client = useQueryClient();
  const funds = useQuery({ ...billingSummaryQuery(), enabled: signedIn });
  const [selected, setSelected] = useState<ReadonlySet<AnyModelId>>(
    () => new Set(rows.some((row) => row.model === model) ? [model] : []),
  );
  const [problem, setProblem] = useState<string | null>(null);
  const selectedRows = rows.filter((row) => selected.has(row.model));
  const total = selectedRows.reduce((sum, { amount_micro_usd }) => sum + amount_micro_usd, 0n);
  const missing = funds.data ? total - parseUsd(funds.data.available_usd) : 0n;
  const toggle = (id: AnyModelId, on: boolean) => {
    setProblem(null);
    setSelected((current) => new Set(on ? [...current, id] : [...current].filter((each) => each !== id)));
  };
  const run = () => {
    const bodies = selectedRows.map((row) => ({ task, model: row.model, input: toInput(row.contract, row.values) }));
    for (const [index, { contract }] of selectedRows.entries()) {
      const parsed = parseInput(contract, bodies[index]?.input, localServiceOrigin());
      if (!parsed.ok) return setProblem(parsed.details[0]?.message ?? 'The form has a problem.');
    }
    startSideBySide(client, bodies);
    onStarted();
  };
  const reason = disabledReason ?? (signedIn ? null : 'Sign in to generate.');
  return (
    <Dialog
      open
      size="lg"
      title="Compare models"
      description="See what this costs on each model. Select several to generate side by side."
      onClose={onClose}
      footer={
        <div className="flex w-full flex-col gap-2">
          {problem ? (
            <Callout tone="bad" title="Not started">
              {problem} Close this dialog and complete the form.
            </Callout>
          ) : null}
          {missing > 0n ? (
            <Callout tone="amber" title="Not enough funds for all of them">
              They cost {formatMoney(total)}; {formatMoney(funds.data?.available_usd ?? '0')} is available. You need{' '}
              {formatMoney(missing)} more.
            </Callout>
          ) : null}
          <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
            <p aria-live="polite" className="min-w-0 basis-full text-sm sm:flex-1 text-ink-2 tabular-nums">
              {reason ??
                (selectedRows.length < 2
                  ? 'Select at least two models'
                  : `${selectedRows.length} models · ${formatMoney(total)}`)}
            </p>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              aria-disabled={reason !== null || selectedRows.length < 2 || missing > 0n || undefined}
              onClick={run}
              className="tabular-nums"
            >
              {selectedRows.length < 2
                ? 'Generate side by side'
                : `Generate ${selectedRows.length} · ${formatMoney(total)}`}
            </Button>
          </div>
        </div>
      }
    >
      <div className="flex flex-col gap-6">
        <CompatibleModelList rows={rows} current={model} selected={selected} onToggle={toggle} onSwitch={onSwitch} />
        {incompatible.length > 0 ? <IncompatibleModelList models={incompatible} current={model} /> : null}
      </div>
    </Dialog>
  );
}

function IncompatibleModelList({ models, current }: { models: readonly IncompatibleModel[]; current: AnyModelId }) {
  const nameModel = useModelName();
  return (
    <section aria-labelledby="incompatible-models">
      <h3 id="incompatible-models" className="mb-2 text-sm font-semibold">
        Not compatible
      </h3>
      <ul className="border-t border-line text-sm">
        {models.map(({ model, reasons }) => (
          <li key={model} className="grid gap-x-4 border-b border-line py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <span className="font-medium">
              {nameModel(model)}
              {model === current ? <span className="font-normal text-ink-3"> · current model</span> : null}
            </span>
            <span className="text-ink-2">{reasons.join(' ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
