import type { WorkflowDefinition, WorkflowStepDefinition } from '#contract/workflows/workflow-definition.ts';
import type { TemplateNames } from '#server/studio/workflows/expression/template-names.ts';
import type { Template } from '#server/studio/workflows/expression/template.ts';

/** One result per template, in order. */
export type ReadNames = (templates: readonly Template[]) => Promise<TemplateNames[]>;

export type LookupNames = (template: Template) => TemplateNames;

/** Reads every template of a workflow in one request, equal ones once. @throws what `readNames` throws */
export async function readTemplates(definition: WorkflowDefinition, readNames: ReadNames): Promise<LookupNames> {
  const templates = new Map<string, Template>();
  for (const template of listTemplates(definition)) templates.set(templateKey(template), template);
  const names = await readNames([...templates.values()]);
  const known = new Map([...templates.keys()].map((key, index) => [key, names[index]]));
  return (template) => {
    const templateNames = known.get(templateKey(template));
    if (!templateNames) throw new Error('A template of a workflow was not read.');
    return templateNames;
  };
}

export const maxItemsTemplate = (text: string): Template =>
  text.includes('{{') ? { json: text } : { expression: text };

const listTemplates = ({ steps, output }: WorkflowDefinition): Template[] => [
  ...steps.flatMap(listStepTemplates),
  ...Object.values(output ?? {}).map((json) => ({ json })),
];

const listStepTemplates = ({ when, for_each, max_items, input }: WorkflowStepDefinition): Template[] => [
  ...[when, for_each].flatMap((expression) => (expression == null ? [] : [{ expression }])),
  ...(typeof max_items === 'string' ? [maxItemsTemplate(max_items)] : []),
  ...Object.values(input).map((json) => ({ json })),
];

const templateKey = (template: Template): string => JSON.stringify(template);
