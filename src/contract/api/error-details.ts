import type * as z from 'zod/mini';
import type { ErrorDetail } from './errors.ts';

type Issue = z.core.$ZodIssue;
type IssueCode = Issue['code'];

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formatNumber = (value: unknown) => (typeof value === 'bigint' ? value : Number(value)).toLocaleString('en-US');

const boundMessage = (
  word: 'at least' | 'at most',
  issue: { origin: string; inclusive?: boolean },
  limit: unknown,
  name: string,
) => {
  const verb = word === 'at least' ? 'must have' : 'can have';
  if (issue.origin === 'array')
    return `${name} ${verb} ${word} ${formatNumber(limit)} ${Number(limit) === 1 ? 'item' : 'items'}.`;
  if (issue.origin === 'string') return `${name} ${verb} ${word} ${formatNumber(limit)} characters.`;
  const exclusive = word === 'at least' ? 'more than' : 'less than';
  return `${name} must be ${issue.inclusive === false ? exclusive : word} ${formatNumber(limit)}.`;
};

const requiredMessage = (name: string, issue: { expected?: string }) =>
  `${name} ${issue.expected === 'array' ? 'are' : 'is'} required.`;

const ISSUE_MESSAGES: { [K in IssueCode]?: (issue: Extract<Issue, { code: K }>, name: string) => string } = {
  invalid_type: (issue, name) =>
    issue.input === undefined
      ? requiredMessage(name, issue)
      : `${name} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}.`,
  invalid_value: (issue, name) =>
    issue.input === undefined
      ? requiredMessage(name, {})
      : `${name} must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}.`,
  too_small: (issue, name) =>
    issue.origin === 'string' && Number(issue.minimum) === 1
      ? requiredMessage(name, {})
      : boundMessage('at least', issue, issue.minimum, name),
  too_big: (issue, name) => boundMessage('at most', issue, issue.maximum, name),
  invalid_format: (issue, name) => {
    if (issue.format === 'datetime') return `${name} must be a date and time such as 2026-01-31T12:00:00Z.`;
    // A schema's own message is a whole sentence; zod's generic ones are not.
    return issue.message.endsWith('.') ? issue.message : `${name} has an invalid format.`;
  },
  invalid_union: (issue, name) =>
    issue.input === undefined
      ? requiredMessage(name, {})
      : issue.message.endsWith('.')
        ? issue.message
        : `${name} is not valid.`,
  custom: (issue) => issue.message,
};

const humanize = (key: PropertyKey | undefined) => {
  if (key === undefined) return 'This';
  if (typeof key === 'number') return `Item ${key + 1}`;
  const words = String(key).slice(0, MAX_NAME_CHARACTERS).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const MAX_NAME_CHARACTERS = 80;

/** Dotted path of an issue, cut: an unknown property name can be as long as the body. Decision: Errors */
const formatPath = (prefix: string, path: readonly PropertyKey[]) =>
  [prefix, ...path.map((key) => String(key).slice(0, MAX_NAME_CHARACTERS))].filter(Boolean).join('.');

/**
 * Converts zod issues to rows of an error response: a dotted path and a sentence each. Parse with `reportInput: true`;
 * without it a missing value looks like one of the wrong type.
 * @param prefix prepended to the paths, such as `input`
 * @param labels field labels by name
 */
export function toErrorDetails(
  issues: readonly Issue[],
  prefix: string,
  labels: Readonly<Record<string, string>> = {},
): ErrorDetail[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: formatPath(prefix, [...issue.path, key]),
        message: `Unknown field “${key.slice(0, MAX_NAME_CHARACTERS)}”.`,
      }));
    const key = issue.path.at(-1);
    const name =
      (typeof key === 'string' && Object.hasOwn(labels, key) && labels[key]) || humanize(key ?? (prefix || undefined));
    const format = ISSUE_MESSAGES[issue.code] as ((issue: Issue, name: string) => string) | undefined;
    return [{ path: formatPath(prefix, issue.path), message: format?.(issue, name) ?? `${name} is not valid.` }];
  });
}
