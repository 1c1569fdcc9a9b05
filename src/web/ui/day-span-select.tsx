import { useId, useState } from 'react';
import { Select } from '#web/ui/select.tsx';

/** Days, `YYYY-MM-DD`, both inclusive; an end that is not set is open. */
export interface DaySpan {
  from?: string | undefined;
  to?: string | undefined;
}

/** A usual span, by its name. */
export type DaySpans = Readonly<Record<string, { label: string; of: (now: Date) => DaySpan }>>;

export interface DaySpanSelectProps extends DaySpan {
  label: string;
  /** What it means where neither day is set; a usual span of the same name is not offered twice. */
  none: string;
  usual: DaySpans;
  /** Said beside the days: which midnight they begin at. */
  zone?: string;
  onChange: (span: DaySpan) => void;
  className?: string | undefined;
}

/** A usual span of days, or any two days. */
export function DaySpanSelect({ from, to, label, none, usual, zone, onChange, className }: DaySpanSelectProps) {
  const [now] = useState(() => new Date());
  const [choosing, setChoosing] = useState(false);
  const spans = Object.entries(usual);
  const [found, span] = spans.find(([, { of }]) => of(now).from === from && of(now).to === to) ?? [];
  const chosen = (from === undefined && to === undefined) || span?.label === none ? 'none' : found;
  const custom = choosing || chosen === undefined;
  const suffix = zone ? ` (${zone})` : '';
  return (
    <div className={className}>
      <Select
        aria-label={label}
        value={custom ? 'custom' : chosen}
        options={[
          { value: 'none', label: none },
          ...spans.filter(([, each]) => each.label !== none).map(([value, each]) => ({ value, label: each.label })),
          { value: 'custom', label: 'Custom range…' },
        ]}
        onChange={(value) => {
          setChoosing(value === 'custom');
          if (value !== 'custom') onChange(usual[value]?.of(new Date()) ?? { from: undefined, to: undefined });
        }}
      />
      {custom ? (
        <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
          <Day label={`From${suffix}`} value={from} max={to} onChange={(day) => onChange({ from: day, to })} />
          <Day label={`To${suffix}`} value={to} min={from} onChange={(day) => onChange({ from, to: day })} />
        </div>
      ) : null}
    </div>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string | undefined) => void;
}

function Day({ label, value, onChange, ...bounds }: DayProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm text-ink-2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="control"
        value={value ?? ''}
        {...bounds}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </div>
  );
}
