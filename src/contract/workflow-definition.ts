import * as z from 'zod/mini';
import { jsonObject } from './primitives.ts';
import { STARTER_SLUG_PATTERN } from './workflow-status.ts';

/** How much one workflow may hold. */
export const WORKFLOW_LIMITS = {
  steps: 30,
  /** Of one step that goes through a list. */
  items: 50,
  /** Of one run, all steps together. */
  generations: 200,
  expression_characters: 4_000,
  /** Starters that an organization keeps. */
  saved_starters: 200,
  /** Of the JSON of all starters that an organization keeps, which a list of them reads. */
  saved_starter_characters: 2_000_000,
} as const;

/** How many items a step takes where it does not say. */
export const DEFAULT_MAX_ITEMS = 20;

const nameSchema = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(80));
const expressionSchema = () =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(WORKFLOW_LIMITS.expression_characters));

/** Of a step or an input field: what expressions call it. */
export const WORKFLOW_KEY_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;
const workflowKeySchema = () =>
  z
    .string()
    .check(z.regex(WORKFLOW_KEY_PATTERN, 'Use small letters, digits and underscores, beginning with a letter.'));
export const starterSlugSchema = () =>
  z
    .string()
    .check(
      z.maxLength(100),
      z.regex(STARTER_SLUG_PATTERN, 'Use small letters and digits in groups with single hyphens.'),
    );

/**
 * A step as it is written. In `input` any text may hold `{{ expressions }}`: one that is nothing else gives its value, of
 * whatever type, and else the text is filled in. `when` and `for_each` are expressions themselves. See docs/workflows.md.
 */
export const WorkflowStepDefinition = z.strictObject({
  key: workflowKeySchema(),
  name: nameSchema(),
  task: z.string(),
  /** Left out or null for tasks without models. */
  model: z.optional(z.nullable(z.string())),
  /** What it waits for, besides the steps that its expressions name. */
  needs: z.optional(z.array(workflowKeySchema()).check(z.maxLength(WORKFLOW_LIMITS.steps))),
  /** The step is left out where this gives false, or nothing. */
  when: z.optional(z.nullable(expressionSchema())),
  /** A list: the step makes one generation for each, which expressions see as `item` and its place, from 0, as `index`. */
  for_each: z.optional(z.nullable(expressionSchema())),
  /** No more than so many of the list, the first of it; 20 where it is left out. `{{ an expression }}` of the input is possible. */
  max_items: z.optional(
    z.nullable(z.union([z.int().check(z.gte(1), z.lte(WORKFLOW_LIMITS.items)), expressionSchema()])),
  ),
  /** Of the task; see the task contracts. */
  input: jsonObject(),
});
export type WorkflowStepDefinition = z.infer<typeof WorkflowStepDefinition>;

/** A reusable workflow as it is written: in a file, in the editor, in a request. */
export const WorkflowDefinition = z.strictObject({
  $schema: z.optional(z.string()),
  slug: starterSlugSchema(),
  name: nameSchema(),
  description: z._default(z.string().check(z.trim(), z.maxLength(500)), ''),
  /** What a run asks for: the part of JSON Schema that `readWorkflowInput` reads. */
  input_schema: jsonObject(),
  /** Values that the form begins with; any of them may be left out. */
  example_input: z.optional(z.nullable(jsonObject())),
  steps: z.array(WorkflowStepDefinition).check(z.minLength(1), z.maxLength(WORKFLOW_LIMITS.steps)),
  /** What a run gives, with `{{ expressions }}` as in the input of a step; the files of the last steps where it is left out. */
  output: z.optional(z.nullable(jsonObject())),
});
export type WorkflowDefinition = z.output<typeof WorkflowDefinition>;
