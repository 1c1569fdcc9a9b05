import type { StepModels } from './step-models.ts';
import type { InputContract } from '#contract/task.ts';
import { toErrorDetails } from '#contract/api/error-details.ts';
import { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { validateJsonValue } from '#server/platform/core/validate-json-value.ts';
import { type StepDraft, parseStep, parseWorkflowTemplate } from './parse-step.ts';
import { type ReadNames, readTemplates, type LookupNames } from './read-templates.ts';
import type { WorkflowStep, Workflow, WorkflowProblem } from './workflow.ts';
import { parseInput } from '#contract/parse-input.ts';

type ParsedDefinition =
  | { ok: true; workflow: Workflow }
  | { ok: false; problems: WorkflowProblem[]; steps: { key: string; needs: string[] }[] };

const MAX_BYTES = 200_000;

/**
 * Reports all problems at once; disabled tasks and models are allowed. @throws what `readNames` throws
 * @param readNames parses expressions outside the thread that serves requests
 */
export async function parseDefinition(
  definitionJson: unknown,
  localOrigin: string | null,
  readNames: ReadNames,
  models: StepModels,
): Promise<ParsedDefinition> {
  const unfit = validateJsonValue(definitionJson);
  if (unfit.length > 0) return invalidDefinition(unfit.map((problem) => ({ ...problem, step_key: null })));
  const parsed = WorkflowDefinition.safeParse(definitionJson, { reportInput: true });
  if (!parsed.success)
    return invalidDefinition(
      toErrorDetails(parsed.error.issues, '').map((problem) => toWorkflowProblem(definitionJson, problem)),
    );
  const definition = parsed.data;
  if (JSON.stringify(definition).length > MAX_BYTES)
    return invalidDefinition([{ path: 'steps', message: 'This workflow is too large.', step_key: null }]);
  const input = readWorkflowInput(definition.input_schema);
  const contract: InputContract = input.ok ? input.contract : { fields: [], rules: [] };
  const problems: WorkflowProblem[] = input.ok ? [] : input.problems.map((problem) => ({ ...problem, step_key: null }));
  const known = input.ok ? new Set(contract.fields.map(({ name }) => name)) : null;
  const namesOf = await readTemplates(definition, readNames);
  const drafts: StepDraft[] = definition.steps.map((step, index) =>
    parseStep(step, { path: `steps.${index}`, input_names: known, localOrigin, namesOf, models }),
  );
  problems.push(...drafts.flatMap((draft) => draft.problems));
  const { ancestors, problems: needProblems } = validateNeeds(drafts);
  const output = validateOutput(definition, known, namesOf);
  problems.push(...needProblems, ...output.problems);
  if (input.ok) problems.push(...validateExample(contract, definition.example_input ?? null, localOrigin));
  const steps = drafts.flatMap(({ key, step }) =>
    step ? [{ ...step, ancestors: ancestors.get(key) ?? new Set<string>() }] : [],
  );
  if (problems.length > 0)
    return { ok: false, problems, steps: drafts.map(({ key, needs }) => ({ key, needs: [...needs] })) };
  const resultSteps = definition.output ? output.named : findFinalSteps(steps);
  return { ok: true, workflow: { definition, contract, steps, result_steps: resultSteps } };
}

function findFinalSteps(steps: readonly Pick<WorkflowStep, 'key' | 'needs'>[]): Set<string> {
  const needed = new Set(steps.flatMap(({ needs }) => needs));
  return new Set(steps.map(({ key }) => key).filter((key) => !needed.has(key)));
}

const invalidDefinition = (problems: WorkflowProblem[]): ParsedDefinition => ({ ok: false, problems, steps: [] });

function toWorkflowProblem(
  definitionJson: unknown,
  { path, message }: { path: string; message: string },
): WorkflowProblem {
  const [, index] = /^steps\.(\d+)/.exec(path) ?? [];
  const steps =
    typeof definitionJson === 'object' && definitionJson !== null && 'steps' in definitionJson
      ? definitionJson.steps
      : null;
  const step: unknown = index !== undefined && Array.isArray(steps) ? steps[Number(index)] : null;
  const key = typeof step === 'object' && step !== null && 'key' in step ? step.key : null;
  return { path, message, step_key: typeof key === 'string' ? key : null };
}

function validateExample(
  contract: InputContract,
  example: Readonly<Record<string, unknown>> | null,
  localOrigin: string | null,
): WorkflowProblem[] {
  if (example === null) return [];
  const parsed = parseInput(contract, example, localOrigin);
  if (parsed.ok) return [];
  return parsed.details.flatMap(({ path, message }) => {
    const below = path.replace(/^input\.?/, '');
    const [name = ''] = below.split('.');
    return Object.hasOwn(example, name) ? [{ path: `example_input.${below}`, message, step_key: null }] : [];
  });
}

function validateOutput(
  { output, steps }: WorkflowDefinition,
  inputNames: ReadonlySet<string> | null,
  namesOf: LookupNames,
): { named: Set<string>; problems: WorkflowProblem[] } {
  const problems: WorkflowProblem[] = [];
  const named = new Set<string>();
  const keys = new Set(steps.map(({ key }) => key));
  for (const [name, json] of Object.entries(output ?? {})) {
    const path = `output.${name}`;
    const say = (_at: string, message: string) => problems.push({ path, message, step_key: null });
    const { names } = parseWorkflowTemplate({ json }, name, { input_names: inputNames, namesOf }, say);
    for (const key of names.steps) {
      named.add(key);
      if (!keys.has(key)) say(name, `Unknown step “${key.slice(0, 80)}”.`);
    }
  }
  return { named, problems };
}

function validateNeeds(drafts: readonly StepDraft[]): {
  ancestors: Map<string, ReadonlySet<string>>;
  problems: WorkflowProblem[];
} {
  const problems: WorkflowProblem[] = [];
  const byKey = new Map<string, StepDraft>();
  for (const draft of drafts) {
    if (byKey.has(draft.key)) problems.push(createProblem(draft, 'key', `Two steps have the key “${draft.key}”.`));
    byKey.set(draft.key, draft);
  }
  for (const draft of drafts) {
    for (const key of draft.needs)
      if (!byKey.has(key)) problems.push(createProblem(draft, 'needs', `Unknown step “${key.slice(0, 80)}”.`));
  }
  const ancestors = new Map<string, ReadonlySet<string>>();
  for (const draft of drafts) {
    const ancestorsOfDraft = collectAncestors(draft, byKey);
    if (ancestorsOfDraft.has(draft.key))
      problems.push(createProblem(draft, 'needs', 'This step depends on itself, directly or through other steps.'));
    ancestors.set(draft.key, ancestorsOfDraft);
  }
  return { ancestors, problems };
}

function collectAncestors(draft: StepDraft, by_key: ReadonlyMap<string, StepDraft>): Set<string> {
  const ancestorKeys = new Set<string>();
  const rest = [...draft.needs];
  for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
    if (ancestorKeys.has(key)) continue;
    ancestorKeys.add(key);
    rest.push(...(by_key.get(key)?.needs ?? []));
  }
  return ancestorKeys;
}

const createProblem = ({ path, key }: StepDraft, below: string, message: string): WorkflowProblem => ({
  path: `${path}.${below}`,
  message,
  step_key: key,
});
