import { MODEL_NAMES } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { priceLabel } from '#web/forms/price-lines.ts';
import { formatList } from '#web/ui/formats.ts';
import { formatPriceFormula } from '../quote.ts';
import type { ModelComparisonRow } from './compare-models.ts';

interface CompatibleModelListProps {
  rows: readonly ModelComparisonRow[];
  /** The model of the form. */
  current: ModelId;
  chosen: ReadonlySet<ModelId>;
  onChoose: (model: ModelId, on: boolean) => void;
  onSwitch: (model: ModelId) => void;
}

/** The models that take the input, cheapest first. */
export function CompatibleModelList({ rows, current, chosen, onChoose, onSwitch }: CompatibleModelListProps) {
  if (rows.length === 0) return <p className="text-ink-2">No model accepts these settings.</p>;
  return (
    <ul aria-label="Models that fit, cheapest first" className="border-t border-line">
      {rows.map((rung) => (
        <li
          key={rung.model}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 border-b border-line py-2.5"
        >
          <Checkbox
            checked={chosen.has(rung.model)}
            onChange={(on) => onChoose(rung.model, on)}
            label={MODEL_NAMES[rung.model]}
            hint={<ComparisonRemarks rung={rung} current={rung.model === current} />}
          />
          <div className="text-right tabular-nums">
            <p className="font-medium">{priceLabel(rung.quote)}</p>
            <p className="text-sm text-ink-3">
              {rung.model === current ? 'Current model' : formatPriceDifference(rung)}
            </p>
            {rung.model === current ? null : (
              <Button size="sm" variant="ghost" className="-mr-2.5" onClick={() => onSwitch(rung.model)}>
                Switch<span className="sr-only"> to {MODEL_NAMES[rung.model]}</span>
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function formatPriceDifference({ difference_micro_usd }: ModelComparisonRow): string {
  if (difference_micro_usd === null) return '';
  if (difference_micro_usd === 0n) return 'Same price';
  const size = difference_micro_usd < 0n ? -difference_micro_usd : difference_micro_usd;
  return `${formatMoney(formatUsd(size), { cents: 'nearest' })} ${difference_micro_usd < 0n ? 'less' : 'more'}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

function ComparisonRemarks({
  rung: { quote, changed, inapplicable },
  current,
}: {
  rung: ModelComparisonRow;
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
          {capitalized(formatList(inapplicable))} {inapplicable.length === 1 ? 'doesn’t' : 'don’t'} apply.
        </span>
      ) : null}
      {changed.length + inapplicable.length === 0 && !current ? <span className="block">Same settings.</span> : null}
    </>
  );
}
