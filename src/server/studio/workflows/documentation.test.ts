import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WORKFLOW_LIMITS, WorkflowStepDefinition } from '#contract/workflows/workflow-definition.ts';
import { createExpressions } from './expression/expressions.ts';
import { readTemplateNames } from './expression/template-names.ts';
import { parseDefinition } from './definition/parse-definition.ts';
import { NO_ADDED_MODELS } from './definition/step-models.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/workflows.md'), 'utf8');
const examples = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']): unknown => JSON.parse(json));

describe('docs/workflows.md', () => {
  test('has examples that work as written', async () => {
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      const read = await parseDefinition(
        example,
        null,
        async (templates) => readTemplateNames(templates),
        NO_ADDED_MODELS,
      );
      expect(read.ok ? [] : read.problems).toEqual([]);
      if (!read.ok) continue;
      const scope = { input: read.workflow.definition.example_input ?? {}, steps: {} };
      const lists = read.workflow.steps.flatMap(({ for_each }) => (for_each ? [for_each.template] : []));
      expect(await createExpressions().evaluate(lists, scope, { key_id: 'key' })).toEqual([
        { ok: true, value: ['spring', 'autumn'] },
      ]);
    }
  });

  test('lists every property of a step and every limit', () => {
    const untold = Object.keys(WorkflowStepDefinition.shape).filter((name) => !text.includes(`\`${name}\``));
    expect(untold).toEqual([]);
    for (const limit of Object.values(WORKFLOW_LIMITS)) expect(text).toContain(limit.toLocaleString('en-US'));
  });
});
