import { useId } from 'react';
import type { KeyKind } from '#contract/resources/api-key.ts';
import { Field } from '#web/ui/field.tsx';
import { KIND_WORDS, KINDS } from './kind-words.ts';

/** The kinds of key, each with what it may do. */
export function KindChoice({ value, onChange }: { value: KeyKind; onChange: (kind: KeyKind) => void }) {
  const name = useId();
  return (
    <Field label="What may it do?" group>
      <div role="radiogroup" aria-label="What may it do?" className="flex flex-col gap-2">
        {KINDS.map((kind) => (
          <label
            key={kind}
            className="flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors hover:bg-hover has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              aria-labelledby={`${name}-${kind}`}
              checked={kind === value}
              onChange={() => onChange(kind)}
              className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
            />
            <span>
              <span id={`${name}-${kind}`} className="block font-medium">
                {KIND_WORDS[kind].label}
              </span>
              <span className="block text-sm text-ink-2">{KIND_WORDS[kind].sentence}</span>
            </span>
          </label>
        ))}
      </div>
    </Field>
  );
}
