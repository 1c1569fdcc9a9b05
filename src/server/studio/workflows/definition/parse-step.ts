import { hasModels, isAddedTaskId, isModelId, isTaskId, TASKS } from '#contract/catalog.ts';
import { findContract, modelsOfTask } from '#contract/model-catalog.ts';
import type { StepModels } from './step-models.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import { DEFAULT_MAX_ITEMS, type WorkflowStepDefinition } from '#contract/workflows/workflow-definition.ts';
import type { Template } from '#server/studio/workflows/expression/template.ts';
import { type LookupNames, maxItemsTemplate } from './read-templates.ts';
import type { ParsedTemplate, WorkflowStep, WorkflowProblem } from './workflow.ts';
import { parseInput } from '#contract/parse-input.ts';
import { normalizeInput } from './normalize-input.ts';

/** Validates fields without expressions, and missing ones. @returns problems with paths below the step */
function validateStepInput(
  contract: InputContract,
  written: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, ParsedTemplate>>,
  localOrigin: string | null,
): { path: string; message: string }[] {
  const expressionFields = new Set(Object.keys(written).filter((name) => parts[name] && hasExpression(parts[name])));
  const fixed = Object.fromEntries(Object.entries(written).filter(([name]) => !expressionFields.has(name)));
  const names = new Set(contract.fields.map(({ name }) => name));
  const unknown = [...expressionFields].filter((name) => !names.has(name));
  const problems = unknown.map((name) => ({
    path: `input.${name}`,
    message: `Unknown field “${name.slice(0, 80)}”.`,
  }));
  const parsed = parseInput(contract, normalizeInput(contract, fixed), localOrigin);
  if (parsed.ok) return problems;
  const relevantDetails = parsed.details.filter(({ path, message }) => {
    const [, name = ''] = path.split('.');
    return (
      !expressionFields.has(name) &&
      !contract.rules.some((rule) => rule.message === message && expressionFields.has(rule.when.field))
    );
  });
  return [...problems, ...relevantDetails];
}

const hasExpression = ({ template }: ParsedTemplate): boolean =>
  'expression' in template || JSON.stringify(template.json).includes('{{');

export interface StepDraft {
  key: string;
  path: string;
  needs: ReadonlySet<string>;
  step: Omit<WorkflowStep, 'ancestors'> | null;
  problems: WorkflowProblem[];
}

interface StepParseContext {
  path: string;
  input_names: ReadonlySet<string> | null;
  localOrigin: string | null;
  namesOf: LookupNames;
  models: StepModels;
}

export function parseStep(definition: WorkflowStepDefinition, context: StepParseContext): StepDraft {
  const { path, localOrigin } = context;
  const problems: WorkflowProblem[] = [];
  const report = (below: string, message: string) =>
    problems.push({ path: `${path}.${below}`, message, step_key: definition.key });
  const parsedTask = parseTask(definition, report, context.models);
  const parseTemplate = (template: Template, at: string): ParsedTemplate =>
    parseWorkflowTemplate(template, at, context, report);
  const expression = (text: string | null | undefined, at: string) =>
    text == null ? null : parseTemplate({ expression: text }, at);

  const when = expression(definition.when, 'when');
  const forEach = expression(definition.for_each, 'for_each');
  const maxItems = parseMaxItems(definition.max_items, parseTemplate);
  if (typeof maxItems !== 'number' && (maxItems.names.steps.size > 0 || maxItems.names.allSteps || maxItems.names.item))
    report('max_items', 'max_items can only use the input.');
  if (definition.max_items != null && forEach === null) report('max_items', 'max_items needs for_each.');
  const input = Object.fromEntries(
    Object.entries(definition.input).map(([name, json]) => [name, parseTemplate({ json }, `input.${name}`)]),
  );
  const needs = new Set(definition.needs);
  for (const { names } of [when, forEach, ...Object.values(input)].filter((each) => each !== null))
    for (const key of names.steps) needs.add(key);
  if (parsedTask) {
    const wrong = validateStepInput(parsedTask.contract, definition.input, input, localOrigin);
    for (const problem of wrong)
      problems.push({ ...problem, path: `${path}.${problem.path}`, step_key: definition.key });
  }
  const step =
    parsedTask && problems.length === 0
      ? {
          key: definition.key,
          name: definition.name,
          ...parsedTask,
          needs: [...needs],
          when,
          for_each: forEach,
          max_items: maxItems,
          input,
        }
      : null;
  return { key: definition.key, path, needs, step, problems };
}

type ReportProblem = (below: string, message: string) => void;

function parseTask(
  { task, model: givenModel }: WorkflowStepDefinition,
  report: ReportProblem,
  models: StepModels,
): { task: TaskId; model: AnyModelId | null; contract: InputContract } | null {
  const model = givenModel ?? null;
  const ids = isTaskId(task) ? modelsOfTask(models, task, models.isKnown) : [];
  if (!isTaskId(task) || (isAddedTaskId(task) && ids.length === 0)) {
    report('task', `Unknown task “${task.slice(0, 80)}”.`);
    return null;
  }
  const { name } = TASKS[task];
  const found = ids.find((id) => id === model) ?? null;
  if (model === null && ids.length > 0) report('model', `“${name}” needs a model. Available: ${ids.join(', ')}.`);
  else if (model !== null && !hasModels(task))
    report('model', `“${name}” does not take a model. Remove "model" from the step.`);
  else if (model !== null && found === null && !isKnownModel(models, model))
    report('model', `Unknown model “${model.slice(0, 80)}”.`);
  else if (model !== null && found === null)
    report('model', `${model} does not support “${name}”. Supported models: ${ids.join(', ')}.`);
  const contract = model === found ? findContract(models, { task, model: found }) : undefined;
  return contract ? { task, model: found, contract } : null;
}

const isKnownModel = ({ added, isKnown }: StepModels, id: string): boolean =>
  isModelId(id) || [...added.values()].some((model) => model.id === id && isKnown(model));

function parseMaxItems(
  max_items: WorkflowStepDefinition['max_items'],
  parseTemplate: (template: Template, at: string) => ParsedTemplate,
): WorkflowStep['max_items'] {
  if (max_items == null) return DEFAULT_MAX_ITEMS;
  if (typeof max_items === 'number') return max_items;
  return parseTemplate(maxItemsTemplate(max_items), 'max_items');
}

const NO_NAMES: ParsedTemplate['names'] = {
  steps: new Set(),
  input: new Set(),
  item: false,
  allSteps: false,
  allInput: false,
};

export function parseWorkflowTemplate(
  template: Template,
  at: string,
  { input_names, namesOf }: Pick<StepParseContext, 'input_names' | 'namesOf'>,
  report: ReportProblem,
): ParsedTemplate {
  const read = namesOf(template);
  if (!read.ok) {
    report(at, `This ${read.message}.`);
    return { template, names: NO_NAMES };
  }
  const { names } = read;
  const unknown = input_names && [...names.input].find((name) => !input_names.has(name));
  if (unknown) report(at, `The input has no field “${unknown.slice(0, 80)}”.`);
  return { template, names };
}
