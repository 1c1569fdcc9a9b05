import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError } from '#web/api/api-errors.ts';

/**
 * Shows the service's problems at the fields that they name, and all others above the buttons.
 * @param fieldsByPath fields that have another name in the request
 */
export function showRequestErrors<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError'>,
  fields: readonly Path<Values>[],
  error: unknown,
  fieldsByPath: Readonly<Record<string, Path<Values>>> = {},
): void {
  const problems = error instanceof ApiError ? error.details : [];
  const named = problems.flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path) ?? fieldsByPath[path];
    return field === undefined ? [] : [{ field, message }];
  });
  for (const { field, message } of named) form.setError(field, { type: 'server', message }, { shouldFocus: true });
  if (named.length > 0) return;
  const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  form.setError('root.server', { type: 'server', message });
}
