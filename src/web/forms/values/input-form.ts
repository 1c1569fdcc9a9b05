import { createFormControl, type FieldError, type FieldErrors, type Resolver } from 'react-hook-form';
import type { ErrorDetail } from '#contract/api/errors.ts';
import type { InputContract } from '#contract/task.ts';
import { detailField, hasSameMessages, toFieldError } from './field-errors.ts';
import { nestedError, splitName, writeValue } from './field-path.ts';
import { toInput, type FormValues } from './form-values.ts';
import { staleValues } from '#web/forms/stale-values.ts';
import { loadValidator } from './validator.ts';

const VALIDATION_DELAY_MS = 150;

type Input = Record<string, unknown>;

/** Its state is outside of React, so that a key press renders one field only. */
export interface InputForm {
  readonly contract: InputContract;
  /** The same object until a value changes. */
  values: () => FormValues;
  /** The same object until the error changes. */
  error: (name: string) => FieldError | undefined;
  setValue: (name: string, value: unknown) => void;
  setValues: (values: FormValues) => void;
  /** From now on, the field shows its errors. */
  touch: (name: string) => void;
  /** @param onInvalid is called with the names of the invalid fields */
  submit: (onValid: (input: Input) => unknown, onInvalid: (names: ReadonlySet<string>) => void) => Promise<void>;
  /** Returns the details that belong to no field. */
  setServerErrors: (details: readonly ErrorDetail[]) => ErrorDetail[];
  subscribe: (listener: () => void) => () => void;
  /** Notifies of changes of the field's value or error. */
  subscribeField: (name: string, listener: () => void) => () => void;
}

/** react-hook-form splits paths at dots, brackets and quotes, and ignores names such as `constructor`. */
const fieldPath = (name: string): string => `_${name.replaceAll(/[%.[\]'"]/g, (mark) => `%${mark.charCodeAt(0)}`)}`;

const toPaths = (values: FormValues): Input =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [fieldPath(name), value]));

/** @param localOrigin is called at each validation; see `validateReferenceUrl` */
export function createInputForm(
  contract: InputContract,
  initial: FormValues,
  localOrigin: () => string | null,
): InputForm {
  const names = contract.fields.map(({ name }) => name);
  const ruleMessages = new Set(contract.rules.map(({ message }) => message));
  let values = initial;
  let is_submitted = false;
  const touchedNested = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  // react-hook-form types the error of an unknown value as that of an object.
  const errorOf = (name: string) => form.getErrors(fieldPath(name)) as FieldError | undefined;
  /** Returns the previous object if the messages are the same. */
  const nextError = (name: string, details: readonly ErrorDetail[]) => {
    const previous = errorOf(name);
    const [ruleDetails = [], otherDetails = []] = [true, false].map((isRule) =>
      details.filter(({ message }) => ruleMessages.has(message) === isRule),
    );
    const next =
      toFieldError('contract', otherDetails) ??
      (previous?.type === 'server' ? previous : toFieldError('rule', ruleDetails));
    return hasSameMessages(previous, next) ? previous : next;
  };
  const resolver: Resolver<Input, unknown, Input> = async () => {
    // If the validator can't be loaded, for example offline, the service validates.
    const parse = await loadValidator().catch(() => null);
    const input = toInput(contract, values);
    const parsed = parse?.(contract, input, localOrigin()) ?? { ok: true, input };
    const details = Map.groupBy(parsed.ok ? [] : parsed.details, detailField);
    const errors: FieldErrors<Input> = {};
    for (const name of names) {
      const error = nextError(name, details.get(name) ?? []);
      if (error) errors[fieldPath(name)] = error;
    }
    if (Object.keys(errors).length > 0) return { values: {}, errors };
    return { values: parsed.ok ? parsed.input : input, errors: {} };
  };
  const form = createFormControl<Input, unknown, Input>({
    defaultValues: toPaths(initial),
    resolver,
    shouldFocusError: false,
  });

  const readValues = () => Object.fromEntries(names.map((name) => [name, form.getValues(fieldPath(name))]));
  // This subscription comes first, so that all others read the new values.
  form.subscribe({ formState: { values: true }, callback: () => (values = readValues()) });
  form.subscribe({
    formState: { isSubmitted: true },
    callback: (state) => (is_submitted = state.isSubmitted === true),
  });
  values = readValues();

  const clearServerErrors = (fields: readonly string[]) => {
    const paths = fields.filter((name) => errorOf(name)?.type === 'server').map(fieldPath);
    if (paths.length > 0) form.clearErrors(paths);
  };
  const validate = () => {
    const validatedPaths = names.map(fieldPath).filter((path) => is_submitted || form.getFieldState(path).isTouched);
    if (validatedPaths.length > 0) void form.trigger(validatedPaths);
  };
  const afterChange = (changed: readonly string[]) => {
    clearServerErrors(changed);
    clearTimeout(timer);
    timer = setTimeout(validate, VALIDATION_DELAY_MS);
  };

  return {
    contract,
    values: () => values,
    error: (name) => {
      const { top, path } = splitName(name);
      const error = errorOf(top);
      if (error?.type === 'rule') return undefined;
      // A field of another row that nobody has come to yet is no mistake.
      const isHidden = path.length > 0 && error?.type === 'contract' && !is_submitted && !touchedNested.has(name);
      return isHidden ? undefined : nestedError(error, path);
    },
    setValue: (name, next) => {
      const previous = values;
      const { top } = splitName(name);
      const written = writeValue(previous, name, next);
      const value = written[top];
      const stale = staleValues(contract, previous, written);
      // At once, so that nobody sees a value without the medium that it belongs to.
      if (Object.keys(stale).length > 0) form.setValues(toPaths({ [top]: value, ...stale }));
      else form.setValue(fieldPath(top), value);
      if (values !== previous) afterChange([top, ...Object.keys(stale)]);
    },
    setValues: (next) => {
      const all = { ...next, ...staleValues(contract, values, { ...values, ...next }) };
      form.setValues(toPaths(all));
      afterChange(Object.keys(all));
    },
    touch: (name) => {
      touchedNested.add(name);
      void form.trigger(fieldPath(splitName(name).top), { shouldTouch: true });
    },
    submit: async (onValid, onInvalid) => {
      clearTimeout(timer);
      clearServerErrors(names);
      await form.handleSubmit(onValid, (errors) =>
        onInvalid(new Set(names.filter((name) => fieldPath(name) in errors))),
      )();
    },
    setServerErrors: (details) => {
      const groups = Map.groupBy(details, detailField);
      for (const name of names) {
        const error = toFieldError('server', groups.get(name) ?? []);
        if (error) form.setError(fieldPath(name), error);
      }
      return details.filter((detail) => !names.includes(detailField(detail)));
    },
    subscribe: (callback) => form.subscribe({ formState: { values: true }, callback }),
    subscribeField: (name, callback) =>
      form.subscribe({
        name: fieldPath(splitName(name).top),
        exact: true,
        formState: { values: true, errors: true },
        callback,
      }),
  };
}
