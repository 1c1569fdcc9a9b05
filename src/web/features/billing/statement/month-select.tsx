import { useId } from 'react';
import { utcDay } from '#web/ui/days.ts';

/** "2026-02" → "2026-02-28". */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return utcDay(new Date(Date.UTC(year, number, 0)));
}

interface MonthSelectProps {
  month: string;
  latest: string;
  onChange: (month: string) => void;
}

/** A month, `YYYY-MM`. */
export function MonthSelect({ month, latest, onChange }: MonthSelectProps) {
  const id = useId();
  return (
    <span className="flex items-center gap-3">
      <label htmlFor={id} className="text-sm font-medium">
        Month
      </label>
      <input
        id={id}
        type="month"
        className="control w-44"
        value={month}
        max={latest}
        onChange={(event) => {
          if (/^\d{4}-\d{2}$/.test(event.target.value)) onChange(event.target.value);
        }}
      />
    </span>
  );
}
