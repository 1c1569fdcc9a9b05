import type { ReactNode } from 'react';
import { Field, type FieldProps } from '#web/ui/field.tsx';
import { useProblem } from './editor-context.ts';

export interface PathFieldProps extends Omit<FieldProps, 'error'> {
  /** Where it stands in the starter's JSON: its problems are shown beside it; null for a field that shows none. */
  path: string | null;
  children: ReactNode;
}

/** A field of the editor. */
export function PathField({ path, className, ...field }: PathFieldProps) {
  const error = useProblem(path);
  return (
    <div data-path={path ?? undefined} className={className}>
      <Field {...field} error={error} />
    </div>
  );
}
