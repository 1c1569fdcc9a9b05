import type { AnyModelId } from '#contract/ids.ts';
import { formatMoney } from '#contract/money/money.ts';
import { useModelName } from '#web/api/model-names.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { priceLabel } from '#web/forms/money/price-lines.ts';
import { formatList } from '#web/ui/formats.ts';
import { formatPriceFormula } from '#web/features/create/price/quote.ts';
import type { ModelComparisonRow } from './compare-models.ts';

interface CompatibleModelListProps {
  rows: readonly ModelComparisonRow[];
  current: AnyModelId;
  selected: ReadonlySet<AnyModelId>;
  onToggle: (model: AnyModelId, on: boolean) => void;
  onSwitch: (model: AnyModelId) => void;
}

export function CompatibleModelList({ rows, current, selected, onToggle, onSwitch }: CompatibleModelListProps) {
  const nameModel = useModelName();
  if (rows.length === 0) return <p className="text-ink-2">No model accepts these settings.</p>;
  return (
    <ul aria-label="Compatible models, cheapest first" className="border-t border-line">
      {rows.map((row) => (
        <li
          key={row.model}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 border-b border-line py-2.5"
        >
          <Checkbox
            checked={selected.has(row.model)}
            onChange={(on) => onToggle(row.model, on)}
            label={nameModel(row.model)}
            hint={<ComparisonDetails row={row} current={row.model === current} />}
          />
          <div className="text-right tabular-nums">
            <p className="font-medium">{priceLabel(row.quote)}</p>
            <p className="text-sm text-ink-3">{row.model === current ? 'Current model' : formatPriceDifference(row)}</p>
            {row.model === current ? null : (
              <Button size="sm" variant="ghost" className="-mr-2.5" onClick={() => onSwitch(row.model)}>
                Switch<span className="sr-only"> to {nameModel(row.model)}</span>
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function formatPriceDifference({ differenceMicroUsd }: ModelComparisonRow): string {
  if (differenceMicroUsd === null) return '';
  if (differenceMicroUsd === 0n) return 'Same price';
  const absoluteMicroUsd = differenceMicroUsd < 0n ? -differenceMicroUsd : differenceMicroUsd;
  return `${formatMoney(absoluteMicroUsd)} ${differenceMicroUsd < 0n ? 'less' : 'more'}`;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

function ComparisonDetails({
  row: { quote, changed, inapplicable },
  current,
}: {
  row: ModelComparisonRow;
  current: boolean;
}) {
  return (
    <>
      <span className="block tabular-nums">{formatPriceFormula(quote)}</span>
      {changed.length > 0 ? (
        <span className="block">
          Changes {formatList(changed.map(({ label, from, to }) => `${label} ${from} → ${to}`))}.
        </span>
      ) : null}
      {inapplicable.length > 0 ? (
        <span className="block">
          {capitalize(formatList(inapplicable))} {inapplicable.length === 1 ? 'doesn’t' : 'don’t'} apply.
        </span>
      ) : null}
      {changed.length + inapplicable.length === 0 && !current ? <span className="block">Same settings.</span> : null}
    </>
  );
}
