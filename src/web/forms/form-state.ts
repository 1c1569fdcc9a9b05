import type { ErrorDetail } from '#contract/errors.ts';
import type { ParsedInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { toInput, type FormValues } from './form-values.ts';
import { type Validator, loadedValidator, loadValidator } from './validator.ts';

/** Problems wait this long after the last change, so that typing is never held up by them. */
const VALIDATE_AFTER_MS = 150;

/** One field as its component needs it; the same object until something in it changes. */
export interface FieldState {
  value: unknown;
  /** What is wrong, where it is time to say so; paths as in an error answer (`input.images.0.url`). */
  problems: readonly ErrorDetail[];
}

/** What a form holds, outside of React, so that a key press renders one field and nothing else. */
export interface FormState {
  readonly contract: InputContract;
  /** The same object until something changes. */
  values: () => FormValues;
  field: (name: string) => FieldState;
  set: (name: string, value: unknown) => void;
  /** Sets several fields at once. */
  assign: (values: FormValues) => void;
  /** The person left a field: from now on its problems are said. */
  markTouched: (name: string) => void;
  /** Judges the input and says every problem. Null where that can't be done here: then the service is to judge. */
  validate: () => Promise<ParsedInput | null>;
  /** Shows what the service found wrong; each problem stays until its field changes. Returns those of no field. */
  showServerProblems: (details: readonly ErrorDetail[]) => ErrorDetail[];
  subscribe: (listener: () => void) => () => void;
}

const NO_PROBLEMS: readonly ErrorDetail[] = [];
const fieldNameOf = ({ path }: ErrorDetail) => /^input\.([^.]+)/.exec(path)?.[1] ?? '';

function groupByField(details: readonly ErrorDetail[]): Map<string, ErrorDetail[]> {
  return Map.groupBy(details, fieldNameOf);
}

const sameProblems = (a: readonly ErrorDetail[], b: readonly ErrorDetail[]) =>
  a.length === b.length && a.every(({ path, message }, at) => path === b[at]?.path && message === b[at]?.message);

/**
 * @param local_origin asked at each judgement; see `validateReferenceUrl`
 */
export function createFormState(
  contract: InputContract,
  initial: FormValues,
  local_origin: () => string | null,
): FormState {
  let values = initial;
  let found = new Map<string, ErrorDetail[]>();
  const refused = new Map<string, ErrorDetail[]>();
  const left = new Set<string>();
  let all_shown = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const states = new Map<string, FieldState>();
  const listeners = new Set<() => void>();
  const ruled = new Set(contract.rules.map(({ message }) => message));

  const emit = () => {
    for (const listener of listeners) listener();
  };

  // Rules have a notice of their own, with a way out.
  const shown = (name: string): readonly ErrorDetail[] => {
    const own = all_shown || left.has(name) ? (found.get(name) ?? NO_PROBLEMS) : NO_PROBLEMS;
    const given = refused.get(name) ?? NO_PROBLEMS;
    const fresh = given.filter(({ message }) => !own.some((problem) => problem.message === message));
    return [...own, ...fresh].filter(({ message }) => !ruled.has(message));
  };

  const examine = (parse: Validator) => {
    clearTimeout(timer);
    timer = undefined;
    const parsed = parse(contract, toInput(contract, values), local_origin());
    found = parsed.ok ? new Map() : groupByField(parsed.details);
    emit();
    return parsed;
  };
  /** With the judge at hand at once, else as soon as it is here. */
  const examineSoon = () => {
    const parse = loadedValidator();
    if (parse) examine(parse);
    else void loadValidator().then(examine, () => undefined);
  };

  const change = (next: FormValues, names: readonly string[]) => {
    values = next;
    for (const name of names) refused.delete(name);
    emit();
    clearTimeout(timer);
    timer = setTimeout(examineSoon, VALIDATE_AFTER_MS);
  };

  return {
    contract,
    values: () => values,
    field: (name) => {
      const known = states.get(name);
      const problems = shown(name);
      const value = values[name];
      if (known && known.value === value && sameProblems(known.problems, problems)) return known;
      const state = { value, problems: problems.length > 0 ? problems : NO_PROBLEMS };
      states.set(name, state);
      return state;
    },
    set: (name, value) => {
      if (values[name] !== value) change({ ...values, [name]: value }, [name]);
    },
    assign: (next) => change({ ...values, ...next }, Object.keys(next)),
    markTouched: (name) => {
      left.add(name);
      examineSoon();
    },
    validate: async () => {
      all_shown = true;
      try {
        return examine(await loadValidator());
      } catch {
        return null;
      }
    },
    showServerProblems: (details) => {
      const groups = groupByField(details);
      const names = new Set(contract.fields.map(({ name }) => name));
      for (const [name, problems] of groups) if (names.has(name)) refused.set(name, problems);
      emit();
      return [...groups].flatMap(([name, problems]) => (names.has(name) ? [] : problems));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
