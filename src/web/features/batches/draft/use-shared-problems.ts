import { useEffect } from 'react';
import type { InputForm } from '#web/forms/input-form.ts';
import type { CheckedRow } from '../check/check-rows.ts';

/** Shows what the service rejects in every row beside the field of the shared form that causes it. */
export function useSharedProblems(form: InputForm, rows: readonly CheckedRow[]): void {
  useEffect(() => {
    const [first, ...others] = rows;
    if (first?.state !== 'problem') return;
    const shared = first.problems.filter(
      ({ target, message }) =>
        form.contract.fields.some(({ name }) => name === target) &&
        others.every(
          (row) =>
            row.state === 'problem' &&
            row.problems.some((other) => other.target === target && other.message === message),
        ),
    );
    if (shared.length > 0)
      form.setServerErrors(shared.map(({ target, message }) => ({ path: `input.${target ?? ''}`, message })));
  }, [form, rows]);
}
