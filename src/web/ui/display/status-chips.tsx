import { useId } from 'react';
import { cx } from '#web/ui/cx.ts';
import { statuses } from './status-badge.tsx';

const chip = cx(
  'relative flex h-8 flex-none items-center rounded-full border border-line px-3 text-sm font-medium text-ink-2 select-none pointer-coarse:h-10',
  'transition-colors hover:text-ink has-checked:border-transparent has-checked:bg-ink has-checked:text-canvas',
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
);

export interface StatusChipsProps<T extends string> {
  value: T | undefined;
  /** By status; those of generations by default. */
  labels?: Readonly<Record<string, string>> | undefined;
  onChange: (status: T | undefined) => void;
}

export function StatusChips<T extends string>({ value, labels, onChange }: StatusChipsProps<T>) {
  const name = useId();
  // Not at module scope: the imported module may be in a chunk that runs after this one.
  const all = labels ?? Object.fromEntries(Object.entries(statuses).map(([status, { label }]) => [status, label]));
  const options: [T | undefined, string][] = [[undefined, 'All'], ...(Object.entries(all) as [T, string][])];
  return (
    <div role="radiogroup" aria-label="Status" className="-m-1 flex gap-1.5 overflow-x-auto p-1 [scrollbar-width:none]">
      {options.map(([status, label]) => (
        <label key={status ?? 'all'} className={chip}>
          <input
            type="radio"
            name={name}
            checked={status === value}
            onChange={() => onChange(status)}
            className="absolute inset-0 appearance-none rounded-full outline-none"
          />
          {label}
        </label>
      ))}
    </div>
  );
}
