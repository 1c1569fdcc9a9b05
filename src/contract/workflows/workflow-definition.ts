import * as z from 'zod/mini';
import { line } from '#contract/one-line.ts';
import { jsonObject } from '#contract/primitives.ts';
import { STARTER_SLUG_PATTERN } from '#contract/statuses.ts';

export const WORKFLOW_LIMITS = {
  steps: 30,
  items: 50,
  generations: 200,
  expression_characters: 4_000,
  saved_starters: 200,
  /** JSON characters of all saved starters of an organization, because listing reads them all. */
  saved_starter_characters: 2_000_000,
} as const;

export const DEFAULT_MAX_ITEMS = 20;

const nameSchema = () => line(80);
const expressionSchema = () =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(WORKFLOW_LIMITS.expression_characters));

/** Key of a step or an input field, as expressions use it. */
export const WORKFLOW_KEY_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;
const workflowKeySchema = () =>
  z
    .string()
    .check(z.regex(WORKFLOW_KEY_PATTERN, 'Use lowercase letters, digits and underscores, starting with a letter.'));
export const starterSlugSchema = () =>
  z
    .string()
    .check(
      z.maxLength(100),
      z.regex(STARTER_SLUG_PATTERN, 'Use lowercase letters and digits, separated by single hyphens.'),
    );

/**
 * A step of a workflow. Any text in `input` may contain `{{ expressions }}`: a text that is a single expression takes
 * its value of any type; otherwise values are inserted into the text. `when` and `for_each` are expressions. See
 * docs/workflows.md.
 */
export const WorkflowStepDefinition = z.strictObject({
  key: workflowKeySchema(),
  name: nameSchema(),
  task: z.string(),
  /** Absent or null for tasks without models. */
  model: z.optional(z.nullable(z.string())),
  /** Dependencies in addition to the steps that expressions name. */
  needs: z.optional(z.array(workflowKeySchema()).check(z.maxLength(WORKFLOW_LIMITS.steps))),
  /** The step is skipped if this is false or has no value. */
  when: z.optional(z.nullable(expressionSchema())),
  /**
   * A list: the step runs one generation per item. Expressions see it as `item` and its position, from 0, as `index`.
   */
  for_each: z.optional(z.nullable(expressionSchema())),
  /** Maximum number of items, the first ones of the list; 20 by default. May be an `{{ expression }}` of the input. */
  max_items: z.optional(
    z.nullable(z.union([z.int().check(z.gte(1), z.lte(WORKFLOW_LIMITS.items)), expressionSchema()])),
  ),
  input: jsonObject(),
});
export type WorkflowStepDefinition = z.infer<typeof WorkflowStepDefinition>;

/** A reusable workflow as written in a file, in the editor or in a request. */
export const WorkflowDefinition = z.strictObject({
  $schema: z.optional(z.string()),
  slug: starterSlugSchema(),
  name: nameSchema(),
  description: z._default(z.string().check(z.trim(), z.maxLength(500)), ''),
  /** The subset of JSON Schema that `readWorkflowInput` reads. */
  input_schema: jsonObject(),
  /** Initial values of the form; any of them may be absent. */
  example_input: z.optional(z.nullable(jsonObject())),
  steps: z.array(WorkflowStepDefinition).check(z.minLength(1), z.maxLength(WORKFLOW_LIMITS.steps)),
  /** Output of a run, with `{{ expressions }}` as in a step's input; by default the files of the last steps. */
  output: z.optional(z.nullable(jsonObject())),
});
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>;
