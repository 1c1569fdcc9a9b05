import { type DayRange, DayRangeSelect } from '#web/ui/day-range-select.tsx';
import { PERIOD_PRESETS } from './period.ts';

interface PeriodSelectProps extends DayRange {
  /** What it means where neither day is set. */
  none: string;
  onChange: (period: DayRange) => void;
  className?: string;
}

/** A span of UTC days. */
export const PeriodSelect = (props: PeriodSelectProps) => (
  <DayRangeSelect label="Period (UTC)" zone="UTC" presets={PERIOD_PRESETS} {...props} />
);
