import { type DayRange, DayRangeSelect } from '#web/ui/controls/day-range-select.tsx';
import { PERIOD_PRESETS } from './period.ts';

interface PeriodSelectProps extends DayRange {
  /** Label of the option that sets neither day. */
  none: string;
  onChange: (period: DayRange) => void;
  className?: string;
}

export const PeriodSelect = (props: PeriodSelectProps) => (
  <DayRangeSelect label="Period (UTC)" zone="UTC" presets={PERIOD_PRESETS} {...props} />
);
