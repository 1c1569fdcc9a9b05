import type { ModelCapability } from '#contract/providers.ts';

export const CAPABILITY_LABELS = {
  references: 'References',
  first_frame: 'Start frame',
  last_frame: 'End frame',
  sound: 'Sound',
  transparency: 'Transparency',
  '2K': '2K',
  '4K': '4K',
  '1080p': '1080p',
} as const satisfies Record<ModelCapability, string>;
