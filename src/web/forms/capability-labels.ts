import type { ModelCapability } from '#contract/providers.ts';

export const CAPABILITY_LABELS = {
  references: 'References',
  first_frame: 'First frame',
  last_frame: 'Last frame',
  sound: 'Sound',
  transparency: 'Transparency',
  '2K': '2K',
  '4K': '4K',
  '1080p': '1080p',
} as const satisfies Record<ModelCapability, string>;
