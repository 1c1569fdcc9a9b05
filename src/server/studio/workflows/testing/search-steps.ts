import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';

type StepText = WorkflowDefinition['steps'][number];

export const searchStep = (
  key: string,
  needs: readonly string[],
  limit = 5,
  more: Partial<StepText> = {},
): StepText => ({
  key,
  name: key,
  task: 'social.search',
  needs: [...needs],
  input: { query: key, platform: 'social_c_shorts', limit },
  ...more,
});

export const searchPrice = (limit: number): bigint => {
  const price = BigInt(limit) * 3_000n;
  return price > 10_000n ? price : 10_000n;
};
