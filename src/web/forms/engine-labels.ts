import type { Model } from '#contract/resources/catalog.ts';

export const ENGINE_LABELS = {
  preview: { label: 'Preview', description: 'Demo mode: drawn here, without an AI model.' },
  upstream: { label: 'Provider', description: 'Created by the model itself.' },
} as const satisfies Record<Model['engine'], { label: string; description: string }>;
