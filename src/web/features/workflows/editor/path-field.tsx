import type { ReactNode } from 'react';
import { Field, type FieldProps } from '#web/ui/field.tsx';
import { useProblem } from './editor-context.ts';

export interface PathFieldProps extends Omit<FieldProps, 'error'> {
  /** Where it stands in the starter's JSON: its problems are said beside it. */
  path: string;
  children: ReactNode;
}

/** A field of the editor. */
export function PathField({ path, className, ...field }: PathFieldProps) {
  const error = useProblem(path);
  return (
    <div data-path={path} className={className}>
      <Field {...field} error={error} />
    </div>
  );
}
