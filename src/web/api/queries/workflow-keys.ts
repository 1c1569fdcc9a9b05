import type { EndpointFilters } from './query-keys.ts';

/** Query keys of workflows, apart from the others, which every page loads. */
export const workflowKeys = {
  starters: ['workflows', 'starters'],
  starter: (slug: string) => ['workflows', 'starter', slug],
  estimate: (slug: string, input: object) => ['workflows', 'estimate', slug, input],
  validation: (definition: object) => ['workflows', 'validation', definition],
  draft: (generation_id: string) => ['workflows', 'draft', generation_id],
  runLists: ['workflows', 'runs'],
  runList: (filters: EndpointFilters<'list_workflow_runs'>) => ['workflows', 'runs', filters],
  runHeads: ['workflows', 'head'],
  runHead: (filters: EndpointFilters<'list_workflow_runs'>) => ['workflows', 'head', filters],
  run: (id: string) => ['workflows', 'run', id],
  retryEstimate: (id: string, inputs: object) => ['workflows', 'retry-estimate', id, inputs],
} as const;
