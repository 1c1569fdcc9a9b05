import type { StepDraft } from './parse-step.ts';
import type { WorkflowProblem } from './workflow.ts';

/** Reports unknown keys and cycles in the needs of steps. Returns all ancestors of each step by its key. */
export function validateNeeds(drafts: readonly StepDraft[]): {
  ancestors: Map<string, ReadonlySet<string>>;
  problems: WorkflowProblem[];
} {
  const problems: WorkflowProblem[] = [];
  const by_key = new Map<string, StepDraft>();
  for (const draft of drafts) {
    if (by_key.has(draft.key)) problems.push(createProblem(draft, 'key', `Two steps have the key “${draft.key}”.`));
    by_key.set(draft.key, draft);
  }
  for (const draft of drafts) {
    for (const key of draft.needs)
      if (!by_key.has(key)) problems.push(createProblem(draft, 'needs', `Unknown step “${key.slice(0, 80)}”.`));
  }
  const ancestors = new Map<string, ReadonlySet<string>>();
  for (const draft of drafts) {
    const ancestors_of_draft = collectAncestors(draft, by_key);
    if (ancestors_of_draft.has(draft.key))
      problems.push(createProblem(draft, 'needs', 'This step depends on itself, directly or through other steps.'));
    ancestors.set(draft.key, ancestors_of_draft);
  }
  return { ancestors, problems };
}

function collectAncestors(draft: StepDraft, by_key: ReadonlyMap<string, StepDraft>): Set<string> {
  const ancestor_keys = new Set<string>();
  const rest = [...draft.needs];
  for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
    if (ancestor_keys.has(key)) continue;
    ancestor_keys.add(key);
    rest.push(...(by_key.get(key)?.needs ?? []));
  }
  return ancestor_keys;
}

const createProblem = ({ path, key }: StepDraft, below: string, message: string): WorkflowProblem => ({
  path: `${path}.${below}`,
  message,
  step_key: key,
});
