import { MODEL_NAMES } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';
import type { IncompatibleModel } from './compare-models.ts';

/** The models that don't take the input, and why. */
export function IncompatibleModelList({
  misfits,
  current,
}: {
  misfits: readonly IncompatibleModel[];
  current: ModelId;
}) {
  return (
    <section aria-labelledby="ladder-misfits">
      <h3 id="ladder-misfits" className="mb-2 text-sm font-semibold">
        Not compatible
      </h3>
      <ul className="border-t border-line text-sm">
        {misfits.map(({ model, reasons }) => (
          <li key={model} className="grid gap-x-4 border-b border-line py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
            <span className="font-medium">
              {MODEL_NAMES[model]}
              {model === current ? <span className="font-normal text-ink-3"> · current model</span> : null}
            </span>
            <span className="text-ink-2">{reasons.join(' ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
