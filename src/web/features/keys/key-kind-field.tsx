import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/ui/field.tsx';
import { KEY_KIND_LABELS, KEY_KIND_OPTIONS } from './key-kind-labels.ts';

/** The kinds of key, each with what it gives access to. */
export function KeyKindField({ register }: { register: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <Field label="Access" group>
      <div role="radiogroup" aria-label="Access" className="flex flex-col gap-2">
        {KEY_KIND_OPTIONS.map((kind) => (
          <label
            key={kind}
            className="flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors hover:bg-hover has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              {...register}
              value={kind}
              aria-labelledby={`${id}-${kind}`}
              aria-describedby={`${id}-${kind}-access`}
              className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
            />
            <span>
              <span id={`${id}-${kind}`} className="block font-medium">
                {KEY_KIND_LABELS[kind].label}
              </span>
              <span id={`${id}-${kind}-access`} className="block text-sm text-ink-2">
                {KEY_KIND_LABELS[kind].sentence}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Field>
  );
}
