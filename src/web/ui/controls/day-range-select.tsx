import { useId, useState } from 'react';
import { toLocalDay } from './days.ts';
import { Select } from './select.tsx';

/** Days, `YYYY-MM-DD`, both inclusive. A missing end is open. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

export type DayRangePresets = Readonly<Record<string, { label: string; of: (now: Date) => DayRange }>>;

export interface DayRangeSelectProps extends DayRange {
  label: string;
  /** Label of the option without any days; a preset of the same label is not listed twice. */
  none: string;
  presets: DayRangePresets;
  zone?: string;
  onChange: (range: DayRange) => void;
  className?: string | undefined;
}

export function DayRangeSelect({ from, to, label, none, presets, zone, onChange, className }: DayRangeSelectProps) {
  const [now] = useState(() => new Date());
  const [choosing, setChoosing] = useState(false);
  const presetEntries = Object.entries(presets);
  const [presetName, preset] = presetEntries.find(([, { of }]) => of(now).from === from && of(now).to === to) ?? [];
  const chosen = (from === undefined && to === undefined) || preset?.label === none ? 'none' : presetName;
  const custom = choosing || chosen === undefined;
  const suffix = zone ? ` (${zone})` : '';
  return (
    <div className={className}>
      <Select
        aria-label={label}
        value={custom ? 'custom' : chosen}
        options={[
          { value: 'none', label: none },
          ...presetEntries
            .filter(([, each]) => each.label !== none)
            .map(([value, each]) => ({ value, label: each.label })),
          { value: 'custom', label: 'Custom range…' },
        ]}
        onChange={(value) => {
          setChoosing(value === 'custom');
          if (value !== 'custom') onChange(presets[value]?.of(new Date()) ?? { from: undefined, to: undefined });
        }}
      />
      {custom ? (
        <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
          <DayInput label={`From${suffix}`} value={from} max={to} onChange={(day) => onChange({ from: day, to })} />
          <DayInput label={`To${suffix}`} value={to} min={from} onChange={(day) => onChange({ from, to: day })} />
        </div>
      ) : null}
    </div>
  );
}

interface DayInputProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string | undefined) => void;
}

function DayInput({ label, value, onChange, ...bounds }: DayInputProps) {
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

const daysBack = (days: number) => (now: Date) => ({
  from: toLocalDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)),
  to: undefined,
});

const DATE_PRESETS: DayRangePresets = {
  today: { label: 'Today', of: daysBack(0) },
  week: { label: 'Last 7 days', of: daysBack(6) },
  month: { label: 'Last 30 days', of: daysBack(29) },
};

export const DateRangeSelect = (props: Pick<DayRangeSelectProps, 'from' | 'to' | 'onChange' | 'className'>) => (
  <DayRangeSelect label="Date" none="Any time" presets={DATE_PRESETS} {...props} />
);
