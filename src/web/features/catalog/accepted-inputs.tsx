import { useDeferredValue } from 'react';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { describeInputs } from './describe-inputs.ts';
import type { Offer } from './offers.ts';

/** The input fields of offers with their limits. Rendered after the visible parts of the page. */
export function AcceptedInputs({ offers }: { offers: readonly Offer[] }) {
  const isRendered = useDeferredValue(true, false);
  return <Disclosure summary="Inputs">{isRendered ? <AcceptedInputTables offers={offers} /> : null}</Disclosure>;
}

function AcceptedInputTables({ offers }: { offers: readonly Offer[] }) {
  return (
    <div className="flex flex-col gap-5">
      {offers.map(({ task, name, contract }) => {
        if (!contract) return null;
        const { rows, rules } = describeInputs(contract);
        return (
          <div key={task}>
            {offers.length > 1 ? <h4 className="mb-1.5 text-sm font-medium">{name}</h4> : null}
            <dl className="grid grid-cols-[minmax(6.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
              {rows.map(({ label, text }) => (
                <div key={label} className="contents">
                  <dt className="text-ink-3">{label}</dt>
                  <dd className="tabular-nums">{text}</dd>
                </div>
              ))}
            </dl>
            {rules.map((rule) => (
              <p key={rule} className="mt-2 text-sm text-ink-3">
                {rule}
              </p>
            ))}
          </div>
        );
      })}
    </div>
  );
}
