import { useLocation, useNavigate } from '@tanstack/react-router';
import { cx } from '#web/ui/cx.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { REFERENCE_PATH } from './reference-layout.ts';
import type { ApiReference } from './parse-openapi-document.ts';

/** The table of contents: at the side of the page, or a select on narrow screens. */
export function ReferenceNav({ reference }: { reference: ApiReference }) {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const sections = [
    { name: 'Getting started', id: 'start', entries: [] },
    ...reference.groups.map(({ name, id, operations }) => ({
      name,
      id,
      entries: operations.map((operation) => ({ id: operation.id, name: operation.summary })),
    })),
    { name: 'Schemas', id: 'schemas', entries: [] },
  ];
  return (
    <>
      <Select
        aria-label="Jump to"
        placeholder="Jump to…"
        className="mb-6 lg:hidden"
        value={hash}
        options={sections.flatMap(({ name, id, entries }) => [
          { value: id, label: name },
          ...entries.map((entry) => ({ value: entry.id, label: `  ${entry.name}` })),
        ])}
        onChange={(id) => void navigate({ href: `${REFERENCE_PATH}#${id}` })}
      />
      <nav
        aria-label="On this page"
        className="sticky top-6 hidden max-h-[calc(100dvh-3rem)] flex-col gap-5 self-start overflow-y-auto pb-6 text-sm lg:flex"
      >
        {sections.map(({ name, id, entries }) => (
          <div key={id}>
            <NavLink id={id} isCurrent={id === hash} className="font-semibold text-ink">
              {name}
            </NavLink>
            {entries.length > 0 ? (
              <ul className="mt-1 border-l border-line">
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <NavLink
                      id={entry.id}
                      isCurrent={entry.id === hash}
                      className="-ml-px border-l border-transparent pl-3 aria-[current]:border-amber"
                    >
                      {entry.name}
                    </NavLink>
                  </li>
                ))}
              </ul>
            ) : null}
          </div>
        ))}
      </nav>
    </>
  );
}

interface NavLinkProps {
  id: string;
  isCurrent: boolean;
  className: string;
  children: string;
}

function NavLink({ id, isCurrent, className, children }: NavLinkProps) {
  return (
    <a
      href={`#${id}`}
      aria-current={isCurrent ? 'location' : undefined}
      className={cx(
        'block truncate py-1 text-ink-2 transition-colors hover:text-ink aria-[current]:text-ink',
        className,
      )}
    >
      {children}
    </a>
  );
}
