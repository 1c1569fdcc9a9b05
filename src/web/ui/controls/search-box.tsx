import { Search, X } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import { TextInput } from './text-input.tsx';

const DEBOUNCE_MS = 250;

export interface SearchBoxProps {
  value: string;
  onChange: (text: string) => void;
  label: string;
  ref?: Ref<HTMLInputElement>;
  className?: string;
}

/** Reports the text after a pause in typing, or at once with Enter. Escape clears it, then leaves it. */
export function SearchBox({ value, onChange, label, ref, className }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (value !== shown) {
    // The value changed elsewhere, by a link or by clearing the filters.
    setShown(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const report = useEffectEvent((text: string) => {
    if (text.trim() !== value) onChange(text.trim());
  });
  useEffect(() => {
    const timer = setTimeout(() => report(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const clear = () => {
    setTyped('');
    onChange('');
  };
  return (
    <TextInput
      ref={ref}
      type="search"
      enterKeyHint="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      className={className}
      prefix={<Search aria-hidden="true" className="size-4" />}
      suffix={
        typed ? (
          <button
            type="button"
            aria-label="Clear search"
            onClick={clear}
            className="-m-1 rounded-sm p-1 hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        ) : null
      }
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChange(typed.trim());
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (typed) clear();
        else event.currentTarget.blur();
      }}
    />
  );
}
