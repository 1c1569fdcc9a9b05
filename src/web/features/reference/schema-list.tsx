import { cx } from '#web/ui/cx.ts';
import { FieldList } from './field-list.tsx';
import type { Schemas } from './json-schema.ts';
import { anchorOffsetClass } from './reference-layout.ts';

/** Every named shape, closed until it is wanted. */
export function SchemaList({ schemas }: { schemas: Schemas }) {
  return (
    <section aria-labelledby="shapes">
      <h2 id="shapes" className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
        Shapes
      </h2>
      <p className="mt-0.5 text-ink-2">What the calls take and answer, by name.</p>
      <ul className="mt-4 divide-y divide-line rounded-md border border-line bg-surface">
        {Object.entries(schemas).map(([name, schema]) => (
          <li key={name}>
            <details id={`shape-${name}`} className={cx('px-4', anchorOffsetClass)}>
              <summary className="flex min-h-11 items-center font-mono text-sm select-none">{name}</summary>
              <div className="pb-4">
                {schema.description ? <p className="mb-2 text-sm text-ink-2">{schema.description}</p> : null}
                <FieldList schemas={schemas} schema={schema} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
