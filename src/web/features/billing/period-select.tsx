import { type DaySpan, DaySpanSelect } from '#web/ui/day-span-select.tsx';
import { PRESETS } from './period.ts';

interface PeriodSelectProps extends DaySpan {
  /** What it means where neither day is set. */
  none: string;
  onChange: (period: DaySpan) => void;
  className?: string;
}

/** A span of UTC days. */
export const PeriodSelect = (props: PeriodSelectProps) => (
  <DaySpanSelect label="Period (UTC)" zone="UTC" usual={PRESETS} {...props} />
);
