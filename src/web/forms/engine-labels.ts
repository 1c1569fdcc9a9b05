import type { Model } from '#contract/resources/catalog.ts';

/** Labels and descriptions of the engines that run models. */
export const ENGINE_LABELS = {
  preview: { label: 'Preview', sentence: 'Demo mode: drawn here, without an AI model.' },
  upstream: { label: 'Real service', sentence: 'Created by the model itself.' },
} as const satisfies Record<Model['engine'], { label: string; sentence: string }>;
