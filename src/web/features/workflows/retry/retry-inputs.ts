import { hashKey } from '@tanstack/react-query';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { readReferences } from '#web/forms/values/form-values.ts';

interface FailedInputs {
  /** Names of the inputs that the failed step uses, the likeliest first. */
  names: string[];
  /** The input that caused the failure, where only one can have. */
  cause: FieldSpec | null;
  message: string | null;
}

/** Finds the inputs that the first failed step of a run uses, from the workflow's definition. */
export function failedInputs(
  run: Pick<WorkflowRun, 'steps' | 'input'>,
  { definition }: Pick<WorkflowStarter, 'definition'>,
  { fields }: InputContract,
): FailedInputs {
  const failed = run.steps.find(({ status }) => status === 'failed');
  const step = definition?.steps.find(({ key }) => key === failed?.key);
  if (!failed || !step) return { names: [], cause: null, message: null };
  const text = JSON.stringify(step.input);
  const used = fields.filter(({ name }) => new RegExp(`\\binput\\.${name}\\b`).test(text));
  const media = used.filter((field) => 'media' in field && readReferences(run.input[field.name]).length > 0);
  const [only, ...others] = media;
  // Only links from the inputs can be unreachable; other causes can depend on any input.
  const isLink = failed.error?.code === 'reference_unavailable';
  const cause = isLink && only && others.length === 0 ? only : null;
  const ordered = [...(isLink ? media : []), ...used];
  return {
    names: [...new Set(ordered.map(({ name }) => name))],
    cause,
    message: failed.error?.message ?? null,
  };
}

export const changeLabel = (cause: FieldSpec | null): string =>
  cause ? `Change the ${inSentence(cause.label)} and retry` : 'Change inputs and retry';

/** Lowercases a label within a sentence; abbreviations such as "URL" keep their capitals. */
const inSentence = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

type Input = Readonly<Record<string, unknown>>;

/** The fields of `after` that differ from `before`; one that was emptied is sent as null or as an empty list. */
export function changedInputs(before: Input, after: Input): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [old, value] = [before[name] ?? null, after[name] ?? null];
      if (hashKey([old]) === hashKey([value])) return [];
      return [[name, value === null && Array.isArray(old) ? [] : value] as const];
    }),
  );
}
