import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';

interface Tab<T extends string> {
  value: T;
  label: ReactNode;
  aside?: ReactNode;
}

export interface TabsProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  tabs: readonly Tab<T>[];
  label: string;
  children: ReactNode;
  className?: string;
}

export function Tabs<T extends string>({ value, onChange, tabs, label, children, className }: TabsProps<T>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    const next = tabs[(step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <div className={className}>
      <div role="tablist" aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => {
          const selected = tab.value === value;
          return (
            <button
              key={tab.value}
              id={`${id}-${tab.value}`}
              type="button"
              role="tab"
              aria-selected={selected}
              aria-controls={`${id}-panel`}
              tabIndex={selected ? 0 : -1}
              onKeyDown={onKeyDown}
              onClick={() => onChange(tab.value)}
              className={cx(
                'flex h-10 flex-none items-center gap-2 border-b-2 text-sm font-medium transition-colors -outline-offset-2',
                selected ? 'border-amber text-ink' : 'border-transparent text-ink-3 hover:text-ink',
              )}
            >
              {tab.label}
              {tab.aside}
            </button>
          );
        })}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={-1}
        className="pt-4 outline-none"
      >
        {children}
      </div>
    </div>
  );
}
