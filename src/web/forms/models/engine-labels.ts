import type { Model } from '#contract/resources/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';

export const ENGINE_LABELS = {
  preview: { label: 'Preview', description: 'Results are examples drawn on this machine, not made by an AI model.' },
  upstream: { label: 'Provider', description: 'Created by the model itself.' },
} as const satisfies Record<Model['engine'], { label: string; description: string }>;

/** Whether a finished result was drawn on this machine. */
export const isPreviewResult = ({ output }: Pick<Generation, 'output'>): boolean =>
  output.data?.['engine'] === 'preview';
