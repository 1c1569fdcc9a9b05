import type { GenerationStatus } from '#contract/statuses.ts';

export const STATUS_DESCRIPTIONS = {
  queued: 'In the queue. Starts automatically.',
  running: 'Running now.',
  succeeded: 'Finished.',
  failed: 'This generation failed.',
  canceled: 'Canceled before it finished.',
  manual_review: 'An administrator has to approve the result. The money stays reserved until then.',
} satisfies Record<GenerationStatus, string>;
