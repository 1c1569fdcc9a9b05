import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { workflowValidationQuery } from '#web/api/queries/workflow-starters.ts';
import { ErrorText, Field, type FieldProps } from '#web/ui/controls/field.tsx';
import { formatDefinition, parseDefinition, type StarterValues } from './starter-values.ts';

/** A problem of the edited workflow; paths follow its JSON (`steps.1.input.prompt`). */
export type StarterProblem = Pick<ErrorDetail, 'path' | 'message'>;

const VALIDATE_DELAY_MS = 300;

const isBelow = (path: string, top: string) => path === top || path.startsWith(`${top}.`);

/** Duplicate or empty result names get lost when the form becomes JSON. */
function resultProblems({ json, results }: StarterValues): StarterProblem[] {
  const names = json === null ? results.map(({ name }) => name) : [];
  return names
    .filter((name, at) => name === '' || names.indexOf(name) !== at)
    .map((name) => ({
      path: `output.${name}`,
      message: name === '' ? 'Enter a name.' : `“${name}” is already in use.`,
    }));
}

function readDefinition(json: string): Record<string, unknown> | null {
  try {
    return parseDefinition(json);
  } catch {
    return null;
  }
}

/** Validates the form on the service, debounced; shows the problems of a field once it was left. */
function useValidation(showsAllInitially: boolean) {
  const { getValues, subscribe } = useFormContext<StarterValues>();
  const [debounced, setDebounced] = useState(() => ({
    json: formatDefinition(getValues()),
    own: resultProblems(getValues()),
  }));
  const [rejected, setRejected] = useState<{ json: string; problems: readonly StarterProblem[] } | null>(null);
  const [touched, setTouched] = useState<readonly string[]>([]);
  const [showsAll, setShowsAll] = useState(showsAllInitially);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => setDebounced({ json: formatDefinition(getValues()), own: resultProblems(getValues()) });
    const stop = subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer);
        timer = setTimeout(update, VALIDATE_DELAY_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [getValues, subscribe]);
  const { json, own } = debounced;
  const definition = useMemo(() => readDefinition(json), [json]);
  const { data, isPlaceholderData, error, refetch, isFetching } = useQuery({
    ...workflowValidationQuery(definition ?? {}),
    enabled: definition !== null,
  });
  const known = definition === null ? undefined : data;
  const problems = useMemo(
    () => (rejected?.json === json ? rejected.problems : [...(known?.problems ?? []), ...own]),
    [rejected, json, known, own],
  );
  const visible = useMemo(
    () => (showsAll ? problems : problems.filter(({ path }) => touched.some((top) => isBelow(path, top)))),
    [problems, showsAll, touched],
  );
  return {
    problems,
    visible,
    /** False while the JSON is invalid. */
    isReadable: definition !== null,
    isValidated: known !== undefined,
    estimate: known?.estimate ?? null,
    /** The result is for an earlier version. */
    isChecking: isPlaceholderData || (isFetching && !data),
    error,
    retry: () => void refetch(),
    markTouched: (path: string) => setTouched((paths) => (paths.includes(path) ? paths : [...paths, path])),
    showAll: () => setShowsAll(true),
    /** Shows what the service rejected, until something changes. */
    reject: (next: readonly StarterProblem[]) => {
      const current = getValues();
      setDebounced({ json: formatDefinition(current), own: resultProblems(current) });
      setRejected({ json: formatDefinition(current), problems: next });
    },
  };
}

export type Validation = ReturnType<typeof useValidation>;

const ValidationContext = createContext<Validation | null>(null);

export function useStarterValidation(): Validation {
  const validation = use(ValidationContext);
  if (!validation) throw new Error('useStarterValidation needs a ValidationProvider.');
  return validation;
}

export function ValidationProvider({ showsAll, children }: { showsAll: boolean; children: ReactNode }) {
  return <ValidationContext value={useValidation(showsAll)}>{children}</ValidationContext>;
}

/** Returns the visible problems at a path and below. */
export function useProblems(path: string): readonly StarterProblem[] {
  const { visible } = useStarterValidation();
  return useMemo(() => visible.filter((problem) => isBelow(problem.path, path)), [visible, path]);
}

interface PathFieldProps extends Omit<FieldProps, 'error'> {
  /** Path within the definition, whose problems are shown. */
  path: string;
  children: ReactNode;
}

export function PathField({ path, className, ...field }: PathFieldProps) {
  const [problem] = useProblems(path);
  return (
    <div data-path={path} className={className}>
      <Field {...field} error={problem?.message} />
    </div>
  );
}

/** Lists the problems that no field below the path shows. */
export function OtherProblems({ path, shown = [] }: { path: string; shown?: readonly string[] }) {
  const problems = useProblems(path).filter((each) => !shown.some((name) => isBelow(each.path, `${path}.${name}`)));
  return problems.map(({ path: at, message }) => <ErrorText key={`${at} ${message}`}>{message}</ErrorText>);
}
