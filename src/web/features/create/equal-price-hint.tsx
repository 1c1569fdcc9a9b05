import { useFormValue } from '#web/forms/form-context.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { cx } from '#web/ui/cx.ts';
import type { EqualPriceDurations } from './quote.ts';

/** Offers the longest duration that costs as much as the chosen one. */
export function EqualPriceHint({
  form,
  field,
  message,
  longest,
  longest_label,
  className,
}: EqualPriceDurations & { form: InputForm; className: string }) {
  const selected = useFormValue((values) => values[field]);
  return (
    <div className={cx('flex flex-wrap items-center gap-x-2', className)}>
      <p>{message}</p>
      {selected === longest ? null : (
        <button
          type="button"
          onClick={() => form.setValue(field, longest)}
          className="rounded-sm font-medium text-amber-text underline-offset-2 hover:underline"
        >
          Use {longest_label}
        </button>
      )}
    </div>
  );
}
