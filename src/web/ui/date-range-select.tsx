import { toLocalDay } from './days.ts';
import { type DayRange, DayRangeSelect, type DayRangePresets } from './day-range-select.tsx';

const daysBack = (days: number) => (now: Date) => ({
  from: toLocalDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)),
  to: undefined,
});

const DATE_PRESETS: DayRangePresets = {
  today: { label: 'Today', of: daysBack(0) },
  week: { label: 'Last 7 days', of: daysBack(6) },
  month: { label: 'Last 30 days', of: daysBack(29) },
};

export const DateRangeSelect = (props: DayRange & { onChange: (range: DayRange) => void }) => (
  <DayRangeSelect label="Date" none="Any time" presets={DATE_PRESETS} {...props} />
);
