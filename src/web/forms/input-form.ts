import { createFormControl, type FieldError, type FieldErrors, type Resolver } from 'react-hook-form';
import type { ErrorDetail } from '#contract/errors.ts';
import type { InputContract } from '#contract/task.ts';
import { detailField, hasSameMessages, toFieldError } from './field-errors.ts';
import { toInput, type FormValues } from './form-values.ts';
import { loadValidator } from './validator.ts';

/** Validation waits this long after the last change, so that it never delays typing. */
const VALIDATION_DELAY_MS = 150;

type Input = Record<string, unknown>;

/** The form of an input contract. It lives outside React, so that a key press renders one field and nothing else. */
export interface InputForm {
  readonly contract: InputContract;
  /** All values by field name; the same object until one changes. */
  values: () => FormValues;
  /** The error to show at a field; the same object until it changes. */
  error: (name: string) => FieldError | undefined;
  setValue: (name: string, value: unknown) => void;
  setValues: (values: FormValues) => void;
  /** Shows the errors of a field from now on. */
  touch: (name: string) => void;
  /** Calls `onValid` with the parsed input, or `onInvalid` with the names of the invalid fields, and shows all errors. */
  submit: (onValid: (input: Input) => unknown, onInvalid: (names: ReadonlySet<string>) => void) => Promise<void>;
  /** Shows errors that the service reports. Returns the details that belong to no field. */
  setServerErrors: (details: readonly ErrorDetail[]) => ErrorDetail[];
  /** Calls the listener whenever a value changes. */
  subscribe: (listener: () => void) => () => void;
  /** Calls the listener whenever the value or the error of a field changes. */
  subscribeField: (name: string, listener: () => void) => () => void;
}

/**
 * The path under which react-hook-form keeps a field. It splits paths at dots, brackets and quotes, and skips names such
 * as `constructor`, which a workflow may give to an input.
 */
const fieldPath = (name: string): string => `_${name.replaceAll(/[%.[\]'"]/g, (mark) => `%${mark.charCodeAt(0)}`)}`;

const toPaths = (values: FormValues): Input =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [fieldPath(name), value]));

/**
 * Creates a form on react-hook-form, with the contract's validator as resolver.
 * @param local_origin called at each validation; see `validateReferenceUrl`
 */
export function createInputForm(
  contract: InputContract,
  initial: FormValues,
  local_origin: () => string | null,
): InputForm {
  const names = contract.fields.map(({ name }) => name);
  const rule_messages = new Set(contract.rules.map(({ message }) => message));
  let values = initial;
  let is_submitted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  // The types of react-hook-form take a value of unknown type for an object with errors of its own.
  const errorOf = (name: string) => form.getErrors(fieldPath(name)) as FieldError | undefined;
  /** The error of a field, given the validator's details; the same object as before when it says the same. */
  const nextError = (name: string, details: readonly ErrorDetail[]) => {
    const before = errorOf(name);
    const [ruled = [], others = []] = [true, false].map((is_rule) =>
      details.filter(({ message }) => rule_messages.has(message) === is_rule),
    );
    const next = toFieldError('contract', others) ?? (before?.type === 'server' ? before : toFieldError('rule', ruled));
    return hasSameMessages(before, next) ? before : next;
  };
  const resolver: Resolver<Input, unknown, Input> = async () => {
    // Without the validator, for example offline, the service is left to validate.
    const parse = await loadValidator().catch(() => null);
    const input = toInput(contract, values);
    const parsed = parse?.(contract, input, local_origin()) ?? { ok: true, input };
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
  // The first subscription, so that all others find the new values.
  form.subscribe({ formState: { values: true }, callback: () => (values = readValues()) });
  form.subscribe({
    formState: { isSubmitted: true },
    callback: (state) => (is_submitted = state.isSubmitted === true),
  });
  values = readValues();

  const clearServerErrors = (of: readonly string[]) => {
    const paths = of.filter((name) => errorOf(name)?.type === 'server').map(fieldPath);
    if (paths.length > 0) form.clearErrors(paths);
  };
  const validate = () => {
    const shown = names.map(fieldPath).filter((path) => is_submitted || form.getFieldState(path).isTouched);
    if (shown.length > 0) void form.trigger(shown);
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
      const error = errorOf(name);
      return error?.type === 'rule' ? undefined : error;
    },
    setValue: (name, value) => {
      const before = values;
      form.setValue(fieldPath(name), value);
      if (values !== before) afterChange([name]);
    },
    setValues: (next) => {
      form.setValues(toPaths(next));
      afterChange(Object.keys(next));
    },
    touch: (name) => void form.trigger(fieldPath(name), { shouldTouch: true }),
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
      form.subscribe({ name: fieldPath(name), exact: true, formState: { values: true, errors: true }, callback }),
  };
}
