import { useId, useState } from 'react';
import { dayOf } from '#web/ui/days.ts';
import { Select } from '#web/ui/select.tsx';

/** Local days, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  from?: string;
  to?: string;
}

const PRESETS = { any: 'Any time', today: 'Today', week: 'Last 7 days', month: 'Last 30 days' } as const;
type Preset = keyof typeof PRESETS;
const DAYS_BACK = { today: 0, week: 6, month: 29 } as const satisfies Record<Exclude<Preset, 'any'>, number>;

function rangeOf(preset: Preset): DayRange {
  if (preset === 'any') return { from: undefined, to: undefined };
  const now = new Date();
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS_BACK[preset]);
  return { from: dayOf(first), to: undefined };
}

const presets = Object.keys(PRESETS).filter((key): key is Preset => Object.hasOwn(PRESETS, key));

/** When something was made: a few usual spans, or any two days. */
export function DateRangeSelect({
  from,
  to,
  onChange,
  className,
}: DayRange & { onChange: (range: DayRange) => void; className?: string }) {
  const preset = presets.find((key) => rangeOf(key).from === from && to === undefined);
  const [choosing, setChoosing] = useState(false);
  const custom = choosing || preset === undefined;
  return (
    <span className={className}>
      <Select
        aria-label="When"
        value={custom ? 'custom' : (preset ?? 'any')}
        options={[
          ...presets.map((value) => ({ value, label: PRESETS[value] })),
          { value: 'custom' as const, label: 'Between two days…' },
        ]}
        onChange={(value) => {
          setChoosing(value === 'custom');
          if (value !== 'custom') onChange(rangeOf(value));
        }}
      />
      {custom ? (
        <span className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2">
          <Day label="From" value={from} max={to} onChange={(day) => onChange({ from: day, to })} />
          <Day label="To" value={to} min={from} onChange={(day) => onChange({ from, to: day })} />
        </span>
      ) : null}
    </span>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string;
  max?: string;
  onChange: (day: string | undefined) => void;
}

function Day({ label, value, onChange, ...bounds }: DayProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="text-sm text-ink-2">
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
    </>
  );
}
