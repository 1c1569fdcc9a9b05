const UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const;

const pluralize = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;

/** Formats whole seconds of either sign in the two largest units: "5 minutes and 1 second". */
export function formatLongDuration(seconds: number): string {
  const total = Math.abs(Math.round(seconds));
  const at = UNITS.findIndex((unit) => total >= unit.seconds);
  const [first, second] = UNITS.slice(at === -1 ? UNITS.length - 1 : at);
  if (!first) return pluralize(0, 'second');
  const rest = second ? Math.floor((total % first.seconds) / second.seconds) : 0;
  const words = pluralize(Math.floor(total / first.seconds), first.name);
  return second && rest > 0 ? `${words} and ${pluralize(rest, second.name)}` : words;
}

/** Formats the milliseconds until a time: "4:05", "1:59:30", "now". */
export function formatCountdown(leftMs: number): string {
  const left = Math.ceil(leftMs / 1000);
  if (left <= 0) return 'now';
  const [hours, minutes, seconds] = [Math.floor(left / 3_600), Math.floor((left % 3_600) / 60), left % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
