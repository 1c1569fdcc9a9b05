import type { Asset } from '#contract/resources/generation.ts';
import type { WorkflowRunStep } from '#contract/resources/workflow-run.ts';

export const stepFiles = ({ assets, items }: Pick<WorkflowRunStep, 'assets' | 'items'>): Asset[] =>
  assets && assets.length > 0 ? assets : (items ?? []).flatMap((item) => item.assets ?? []);
