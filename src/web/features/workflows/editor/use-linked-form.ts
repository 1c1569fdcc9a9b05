import { useEffect, useEffectEvent, useMemo } from 'react';
import type { InputContract } from '#contract/task.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { toFieldError } from '#web/forms/values/field-errors.ts';
import { nestedError, splitName } from '#web/forms/values/field-path.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import { createInputForm, type InputForm } from '#web/forms/values/input-form.ts';
import { useProblems, useStarterValidation } from './validation.tsx';

/**
 * Returns a form for a part of the edited workflow, which shows the problems that the service finds there.
 * @param path of the part in the workflow's JSON
 */
export function useLinkedForm(
  contract: InputContract,
  initial: () => FormValues,
  path: string,
  onChange: (values: FormValues) => void,
): InputForm {
  // Later values do not change the initial values of a form.
  // oxlint-disable-next-line react/exhaustive-deps -- see above
  const form = useMemo(() => createInputForm(contract, initial(), localServiceOrigin), [contract]);
  const problems = useProblems(path);
  const { markTouched } = useStarterValidation();
  const write = useEffectEvent(onChange);
  useEffect(() => form.subscribe(() => write(form.values())), [form]);
  const touch = useEffectEvent(markTouched);
  return useMemo(() => {
    const errors = new Map(
      contract.fields.map(({ name }) => {
        const below = problems.filter((problem) => `${problem.path}.`.startsWith(`${path}.${name}.`));
        // A field expects paths that begin like those of its task's input.
        const details = below.map((problem) => ({ ...problem, path: `input${problem.path.slice(path.length)}` }));
        return [name, toFieldError('server', details)];
      }),
    );
    return {
      ...form,
      error: (name) => {
        const { top, path: below } = splitName(name);
        return form.error(name) ?? nestedError(errors.get(top), below);
      },
      touch: (name) => {
        form.touch(name);
        touch(`${path}.${splitName(name).top}`);
      },
    };
  }, [contract, form, problems, path]);
}
