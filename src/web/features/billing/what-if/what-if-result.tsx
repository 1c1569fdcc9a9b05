import { Calculator } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import type { WhatIf } from '#contract/resources/audit.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/api/money.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';

interface WhatIfResultProps {
  hasChange: boolean;
  result: WhatIf | undefined;
  problem: unknown;
  onRetry: () => void;
}

/** The effect of the change on past charges. The live region is always mounted, so that screen readers announce its text. */
export function WhatIfResult(props: WhatIfResultProps) {
  const { hasChange, result, problem } = props;
  return (
    <section aria-label="Comparison">
      <output className="block text-lg font-semibold tabular-nums not-empty:mb-4">
        {hasChange && result && !problem ? resultSentence(result) : null}
      </output>
      <Result {...props} />
    </section>
  );
}

function resultSentence({ count, difference_usd }: WhatIf): string {
  if (count === 0) return 'No charges to compare in this period.';
  if (Number(difference_usd) === 0) return 'It would have cost the same.';
  const saves = difference_usd.startsWith('-');
  return `It would have cost ${formatMoney(difference_usd.replace('-', ''))} ${saves ? 'less' : 'more'}.`;
}

function Result({ hasChange, result, problem, onRetry }: WhatIfResultProps) {
  if (!hasChange)
    return (
      <EmptyState icon={<Calculator aria-hidden="true" />} title="Choose what to change">
        Pick another model, length or resolution to reprice past charges.
      </EmptyState>
    );
  if (problem) return <LoadError what="The comparison" error={problem} onRetry={onRetry} />;
  if (!result)
    return (
      <Loading label="Calculating">
        <SkeletonText lines={5} />
      </Loading>
    );
  return <RepricingFigures result={result} />;
}

function RepricingFigures({ result }: { result: WhatIf }) {
  const { count, repriced_count, repriced_real_usd, repriced_usd, real_usd, basis, not_possible } = result;
  if (count === 0) return <p className="text-ink-2">Choose another period, task or model.</p>;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] text-sm">
        <Row name={`Actual cost of all ${formatNumber(count)}, minus refunds`} amount_usd={real_usd} />
        <Row
          name={`Actual cost of the ${formatNumber(repriced_count)} comparable, minus refunds`}
          amount_usd={repriced_real_usd}
        />
        <Row name={basis === 'exact' ? 'Repriced cost' : 'Repriced cost, at most'} amount_usd={repriced_usd} />
      </dl>
      {not_possible.count > 0 ? (
        <div className="text-sm">
          <h3 className="font-semibold">
            {formatNumber(not_possible.count)} can’t be repriced ({formatMoney(not_possible.real_usd)})
          </h3>
          <ul className="mt-1 text-ink-2">
            {not_possible.reasons.map(({ message, count: times }) => (
              <li key={message}>
                {message} <span className="text-ink-3">{formatNumber(times)}×</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

function Row({ name, amount_usd }: { name: string; amount_usd: string }) {
  return (
    <>
      <dt className="border-b border-line py-2">{name}</dt>
      <dd className="border-b border-line py-2 pl-4 text-right whitespace-nowrap tabular-nums">
        {alignMoney(amount_usd)}
      </dd>
    </>
  );
}
