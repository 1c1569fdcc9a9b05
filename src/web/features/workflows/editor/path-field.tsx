import type { ReactNode } from 'react';
import { Field, type FieldProps } from '#web/ui/field.tsx';
import { useProblem } from './editor-context.ts';

interface PathFieldProps extends Omit<FieldProps, 'error'> {
  /** Path within the definition, whose problems are shown; null for none. */
  path: string | null;
  children: ReactNode;
}

export function PathField({ path, className, ...field }: PathFieldProps) {
  const error = useProblem(path);
  return (
    <div data-path={path ?? undefined} className={className}>
      <Field {...field} error={error} />
    </div>
  );
}
