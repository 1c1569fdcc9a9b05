import { TASKS, inputContract, isModelId, isTaskId, modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import { DEFAULT_MAX_ITEMS, type WorkflowStepDefinition } from '#contract/workflow-definition.ts';
import type { Template } from '../expression/template.ts';
import { type LookupNames, maxItemsTemplate } from './read-templates.ts';
import type { ParsedTemplate, WorkflowStep, WorkflowProblem } from './workflow.ts';
import { parseInput } from '#contract/parse-input.ts';
import { normalizeInput } from './normalize-input.ts';

/**
 * Judges the input of a step against its task as far as that can be done before a run: fields that hold no expression,
 * and such as are missing.
 * @returns paths below the step
 */
function validateStepInput(
  contract: InputContract,
  written: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, ParsedTemplate>>,
  local_origin: string | null,
): { path: string; message: string }[] {
  const open = new Set(Object.keys(written).filter((name) => parts[name] && hasExpression(parts[name])));
  const fixed = Object.fromEntries(Object.entries(written).filter(([name]) => !open.has(name)));
  const names = new Set(contract.fields.map(({ name }) => name));
  const unknown = [...open].filter((name) => !names.has(name));
  const problems = unknown.map((name) => ({
    path: `input.${name}`,
    message: `Unknown field “${name.slice(0, 80)}”.`,
  }));
  const parsed = parseInput(contract, normalizeInput(contract, fixed), local_origin);
  if (parsed.ok) return problems;
  const told = parsed.details.filter(({ path, message }) => {
    const [, name = ''] = path.split('.');
    return !open.has(name) && !contract.rules.some((rule) => rule.message === message && open.has(rule.when.field));
  });
  return [...problems, ...told];
}

/** It holds an expression. */
const hasExpression = ({ template }: ParsedTemplate): boolean =>
  'expression' in template || JSON.stringify(template.json).includes('{{');

/** A step as far as it can be read by itself. */
export interface StepDraft {
  key: string;
  path: string;
  needs: ReadonlySet<string>;
  /** null where anything is wrong with it. */
  step: Omit<WorkflowStep, 'ancestors'> | null;
  problems: WorkflowProblem[];
}

interface StepParseContext {
  /** Of the step. */
  path: string;
  /** Fields of the run's input; null where they are not known. */
  input_names: ReadonlySet<string> | null;
  local_origin: string | null;
  namesOf: LookupNames;
}

export function parseStep(given: WorkflowStepDefinition, around: StepParseContext): StepDraft {
  const { path, local_origin } = around;
  const problems: WorkflowProblem[] = [];
  const say = (below: string, message: string) =>
    problems.push({ path: `${path}.${below}`, message, step_key: given.key });
  const what = parseTask(given, say);
  const part = (template: Template, at: string): ParsedTemplate => parseWorkflowTemplate(template, at, around, say);
  const expression = (text: string | null | undefined, at: string) =>
    text == null ? null : part({ expression: text }, at);

  const when = expression(given.when, 'when');
  const for_each = expression(given.for_each, 'for_each');
  const max_items = parseMaxItems(given.max_items, part);
  if (
    typeof max_items !== 'number' &&
    (max_items.names.steps.size > 0 || max_items.names.all_steps || max_items.names.item)
  )
    say('max_items', 'How many there may be can only depend on the input.');
  if (given.max_items != null && for_each === null)
    say('max_items', 'This step goes through no list: it has no “for_each”.');
  const input = Object.fromEntries(
    Object.entries(given.input).map(([name, json]) => [name, part({ json }, `input.${name}`)]),
  );
  const needs = new Set(given.needs);
  for (const { names } of [when, for_each, ...Object.values(input)].filter((each) => each !== null))
    for (const key of names.steps) needs.add(key);
  if (what) {
    const wrong = validateStepInput(what.contract, given.input, input, local_origin);
    for (const problem of wrong) problems.push({ ...problem, path: `${path}.${problem.path}`, step_key: given.key });
  }
  const step =
    what && problems.length === 0
      ? { key: given.key, name: given.name, ...what, needs: [...needs], when, for_each, max_items, input }
      : null;
  return { key: given.key, path, needs, step, problems };
}

type ReportProblem = (below: string, message: string) => void;

function parseTask(
  { task, model: given_model }: WorkflowStepDefinition,
  say: ReportProblem,
): { task: TaskId; model: ModelId | null; contract: InputContract } | null {
  const model = given_model ?? null;
  if (!isTaskId(task)) {
    say('task', `There is no task “${task.slice(0, 80)}”.`);
    return null;
  }
  const models = modelsForTask(task);
  const { name } = TASKS[task];
  if (model === null && models.length > 0) say('model', `“${name}” needs a model: ${models.join(', ')}.`);
  else if (model !== null && models.length === 0) say('model', `“${name}” takes no model; leave it out.`);
  else if (model !== null && !isModelId(model)) say('model', `There is no model “${model.slice(0, 80)}”.`);
  else if (model !== null && isModelId(model) && !models.includes(model))
    say('model', `${model} does not run “${name}”; these do: ${models.join(', ')}.`);
  const contract = model === null || isModelId(model) ? inputContract(task, model) : undefined;
  return contract && (model === null || isModelId(model)) ? { task, model, contract } : null;
}

function parseMaxItems(
  given: WorkflowStepDefinition['max_items'],
  part: (template: Template, at: string) => ParsedTemplate,
): WorkflowStep['max_items'] {
  if (given == null) return DEFAULT_MAX_ITEMS;
  if (typeof given === 'number') return given;
  return part(maxItemsTemplate(given), 'max_items');
}

const NO_NAMES: ParsedTemplate['names'] = {
  steps: new Set(),
  input: new Set(),
  item: false,
  all_steps: false,
  all_input: false,
};

/** Reads the expressions of a template; those that are not one are reported. */
export function parseWorkflowTemplate(
  template: Template,
  at: string,
  { input_names, namesOf }: Pick<StepParseContext, 'input_names' | 'namesOf'>,
  say: ReportProblem,
): ParsedTemplate {
  const read = namesOf(template);
  if (!read.ok) {
    say(at, `This ${read.message}.`);
    return { template, names: NO_NAMES };
  }
  const { names } = read;
  const unknown = input_names && [...names.input].find((name) => !input_names.has(name));
  if (unknown) say(at, `The input has no “${unknown.slice(0, 80)}”.`);
  return { template, names };
}
