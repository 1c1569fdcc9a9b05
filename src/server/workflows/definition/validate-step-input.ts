import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { normalizeInput } from './normalize-input.ts';
import type { ParsedTemplate } from './workflow.ts';

/**
 * Judges the input of a step against its task as far as that can be done before a run: fields that hold no expression,
 * and such as are missing.
 * @returns paths below the step
 */
export function validateStepInput(
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
    message: `“${name.slice(0, 80)}” is not known here.`,
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
