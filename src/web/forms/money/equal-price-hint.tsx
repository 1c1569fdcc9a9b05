import { cx } from '#web/ui/cx.ts';
import type { EqualPriceDurations } from './equal-price-durations.ts';
import { useFormValue } from '#web/forms/form-context.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';

/** Offers the longest duration that costs as much as the chosen one. */
export function EqualPriceHint({
  form,
  field,
  message,
  longest,
  longestLabel,
  className,
}: EqualPriceDurations & { form: InputForm; className?: string }) {
  const selected = useFormValue((values) => values[field]);
  return (
    <div className={cx('flex min-h-7 flex-wrap items-center gap-x-2', className)}>
      <p>{message}</p>
      {selected === longest ? null : (
        <button
          type="button"
          onClick={() => form.setValue(field, longest)}
          className="rounded-sm font-medium text-amber-text underline-offset-2 hover:underline"
        >
          Use {longestLabel}
        </button>
      )}
    </div>
  );
}
