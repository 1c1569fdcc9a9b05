import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { StarterSource } from '#contract/workflow-status.ts';
import type { MediaKind } from '#contract/task.ts';
import { formatList } from '#web/ui/formats.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** Where a starter comes from. */
export const SOURCE_WORDS = {
  shipped: { label: 'Built in', sentence: 'It comes with Emulsion.' },
  operator: { label: 'From the operator', sentence: 'Whoever runs this service put it here.' },
  own: { label: 'Yours', sentence: 'Somebody of your organization saved it here.' },
} satisfies Record<StarterSource, { label: string; sentence: string }>;

const MEDIA_WORDS = { image: 'pictures', video: 'videos', audio: 'sound' } satisfies Record<MediaKind, string>;

/** "Makes pictures and videos"; undefined where that is not known. */
export function makesWords({ makes }: WorkflowStarter): string | undefined {
  return makes && makes.length > 0 ? `Makes ${formatList(makes.map((kind) => MEDIA_WORDS[kind]))}` : undefined;
}

/** Formats the least that a run costs: "from $0.22", "Free"; undefined when it is unknown. */
export function priceFrom({ price_from_usd, steps }: WorkflowStarter): string | undefined {
  if (price_from_usd === undefined) return undefined;
  if (Number(price_from_usd) > 0) return `from ${formatMoney(price_from_usd, { cents: 'up' })}`;
  return steps.some(({ model }) => model !== null) ? 'Price varies' : 'Free';
}

/** The first text of the example; undefined where it has none. */
export function exampleWords({ example_input }: WorkflowStarter): string | undefined {
  const text = Object.values(example_input ?? {}).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? text : undefined;
}
