import { useId, useState } from 'react';
import { Select } from '#web/ui/select.tsx';
import { isPreset, type Period, PRESETS } from './period.ts';

interface PeriodSelectProps extends Period {
  /** What it means where neither day is set. */
  none: string;
  onChange: (period: Period) => void;
  className?: string;
}

/** A span of UTC days: a usual one, or any two days. */
export function PeriodSelect({ from, to, none, onChange, className }: PeriodSelectProps) {
  const [now] = useState(() => new Date());
  const found = Object.entries(PRESETS).find(([, { of }]) => of(now).from === from && of(now).to === to)?.[0];
  const preset = from === undefined && to === undefined ? 'none' : found;
  const [choosing, setChoosing] = useState(false);
  const custom = choosing || preset === undefined;
  return (
    <div className={className}>
      <Select
        aria-label="Period"
        value={custom ? 'custom' : preset}
        options={[
          { value: 'none', label: none },
          ...Object.entries(PRESETS).map(([value, { label }]) => ({ value, label })),
          { value: 'custom', label: 'Between two days…' },
        ]}
        onChange={(value) => {
          setChoosing(value === 'custom');
          if (value === 'none') onChange({ from: undefined, to: undefined });
          else if (isPreset(value)) onChange(PRESETS[value].of(new Date()));
        }}
      />
      {custom ? (
        <div className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
          <Day label="From" value={from} max={to} onChange={(day) => onChange({ from: day, to })} />
          <Day label="To" value={to} min={from} onChange={(day) => onChange({ from, to: day })} />
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
    <>
      <label htmlFor={id} className="text-sm text-ink-2">
        {label} (UTC)
      </label>
      <input
        id={id}
        type="date"
        className="control"
        value={value ?? ''}
        {...bounds}
        onChange={(event) => onChange(event.target.value || undefined)}
      />
    </>
  );
}
