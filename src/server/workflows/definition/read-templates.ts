import type { WorkflowDefinition, WorkflowStepDefinition } from '#contract/workflow-definition.ts';
import type { TemplateNames } from '../expression/names.ts';
import type { Template } from '../expression/template.ts';

/** Reads what templates of one workflow name; one result for each, in order. */
export type ReadNames = (templates: readonly Template[]) => Promise<TemplateNames[]>;

/** What a template of the workflow names. */
export type NamesOf = (template: Template) => TemplateNames;

/** Reads every template of a workflow in one request, equal ones once. @throws what `readNames` throws */
export async function readTemplates(definition: WorkflowDefinition, readNames: ReadNames): Promise<NamesOf> {
  const templates = new Map<string, Template>();
  for (const template of templatesOf(definition)) templates.set(keyOf(template), template);
  const names = await readNames([...templates.values()]);
  const known = new Map([...templates.keys()].map((key, place) => [key, names[place]]));
  return (template) => {
    const found = known.get(keyOf(template));
    if (!found) throw new Error('A template of a workflow was not read.');
    return found;
  };
}

/** An expression, or text around one. */
export const maxItemsTemplate = (given: string): Template =>
  given.includes('{{') ? { json: given } : { expression: given };

const templatesOf = ({ steps, output }: WorkflowDefinition): Template[] => [
  ...steps.flatMap(templatesOfStep),
  ...Object.values(output ?? {}).map((json) => ({ json })),
];

const templatesOfStep = ({ when, for_each, max_items, input }: WorkflowStepDefinition): Template[] => [
  ...[when, for_each].flatMap((expression) => (expression == null ? [] : [{ expression }])),
  ...(typeof max_items === 'string' ? [maxItemsTemplate(max_items)] : []),
  ...Object.values(input).map((json) => ({ json })),
];

const keyOf = (template: Template): string => JSON.stringify(template);
