import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { formatUtcMonth } from '../period.ts';
import { monthsBetween } from './months.ts';

interface MonthSelectProps {
  /** `YYYY-MM`, like `earliest` and `latest`. */
  month: string;
  earliest: string;
  latest: string;
  onChange: (month: string) => void;
}

export function MonthSelect({ month, earliest, latest, onChange }: MonthSelectProps) {
  const id = useId();
  const months = monthsBetween(month < earliest ? month : earliest, month > latest ? month : latest).toReversed();
  const at = months.indexOf(month);
  const step = (label: string, target: string | undefined, icon: React.ReactNode) => (
    <IconButton
      outlined
      label={label}
      icon={icon}
      disabled={target === undefined}
      onClick={() => target && onChange(target)}
    />
  );
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="mr-1 text-sm font-medium">
        Month
      </label>
      {step('Previous month', months[at + 1], <ChevronLeft aria-hidden="true" className="size-4" />)}
      <Select
        id={id}
        className="w-44"
        value={month}
        options={months.map((value) => ({ value, label: formatUtcMonth(value) }))}
        onChange={onChange}
      />
      {step('Next month', months[at - 1], <ChevronRight aria-hidden="true" className="size-4" />)}
    </span>
  );
}
