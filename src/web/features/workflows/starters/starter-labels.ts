import { formatMoney } from '#contract/money/money.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { StarterSource } from '#contract/statuses.ts';
import type { MediaKind } from '#contract/task.ts';
import { formatList } from '#web/ui/formats.ts';

const SOURCE_LABELS = {
  shipped: { label: 'Built in', description: 'Comes with Emulsion.' },
  operator: { label: 'From the operator', description: 'Added by the operator of this service.' },
  own: { label: 'Team', description: 'Saved by your organization.' },
} satisfies Record<StarterSource, SourceLabel>;

interface SourceLabel {
  label: string;
  description: string;
}

/** Undefined where the source is not known. @param keyId the key that is signed in */
export function sourceLabel(
  { source, created_by }: Pick<WorkflowStarter, 'source' | 'created_by'>,
  keyId: string | undefined,
): SourceLabel | undefined {
  if (source === undefined) return undefined;
  if (source !== 'own' || !created_by) return SOURCE_LABELS[source];
  if (created_by.id === keyId) return { label: 'Yours', description: 'Saved with your key.' };
  return { label: 'Team', description: `Saved by ${created_by.name}.` };
}

const MEDIA_LABELS = { image: 'images', video: 'videos', audio: 'sound' } satisfies Record<MediaKind, string>;

export function formatStarterOutputs({ makes }: WorkflowStarter): string | undefined {
  return makes && makes.length > 0 ? `Creates ${formatList(makes.map((kind) => MEDIA_LABELS[kind]))}` : undefined;
}

/** Formats the least that a run costs: "from $0.22", "Free"; undefined when it is unknown. */
export function formatPriceFrom({ price_from_usd, steps }: WorkflowStarter): string | undefined {
  if (price_from_usd === undefined) return undefined;
  if (Number(price_from_usd) > 0) return `from ${formatMoney(price_from_usd)}`;
  return steps.some(({ model }) => model !== null) ? 'Price varies' : 'Free';
}

export function exampleText({ example_input }: WorkflowStarter): string | undefined {
  const text = Object.values(example_input ?? {}).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? text : undefined;
}
