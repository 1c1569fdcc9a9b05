import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { chooseVariationCount, useVariationCount } from './variation-count.ts';

/** How many results one press of Generate starts. */
const VARIATION_COUNTS = [1, 2, 4, 8];

interface VariationStepperProps {
  task: TaskId;
  model: AnyModelId;
  /** Why nothing can be started; null if it can. */
  disabledReason: string | null;
}

/** Chooses how many results one press of Generate starts. */
export function VariationStepper({ task, model, disabledReason }: VariationStepperProps) {
  const count = useVariationCount(task, model);
  return (
    <>
      <span aria-hidden="true" className="text-ink-2 max-sm:hidden">
        Variations
      </span>
      <SegmentedControl
        label="Variations"
        size="sm"
        value={String(count)}
        disabled={disabledReason !== null}
        options={VARIATION_COUNTS.map((option) => ({
          value: String(option),
          label: option,
          name: option === 1 ? '1 result' : `${option} variations`,
          ...(disabledReason === null ? {} : { hint: disabledReason }),
        }))}
        onChange={(value) => chooseVariationCount(task, Number(value))}
      />
    </>
  );
}
