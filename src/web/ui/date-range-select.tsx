import { dayOf } from '#web/ui/days.ts';
import { type DaySpan, DaySpanSelect, type DaySpans } from '#web/ui/day-span-select.tsx';

const since = (days: number) => (now: Date) => ({
  from: dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)),
  to: undefined,
});

const USUAL: DaySpans = {
  today: { label: 'Today', of: since(0) },
  week: { label: 'Last 7 days', of: since(6) },
  month: { label: 'Last 30 days', of: since(29) },
};

/** When something was made, in local days. */
export const DateRangeSelect = (props: DaySpan & { onChange: (span: DaySpan) => void }) => (
  <DaySpanSelect label="When" none="Any time" usual={USUAL} {...props} />
);
