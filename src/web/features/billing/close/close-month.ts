import { toUtcDay } from '#web/ui/controls/days.ts';
import { addMonths } from '../statement/months.ts';

/** The last month that is over. */
export const defaultCloseMonth = (): string => addMonths(toUtcDay(new Date()).slice(0, 7), -1);
