import { Link } from '@tanstack/react-router';

const PAGES = [
  { to: '/generations', label: 'Generations' },
  { to: '/batches', label: 'Batches' },
] as const;

/** The heading of a page beside a link to the other one. */
export function GenerationPagesTitle({ current }: { current: (typeof PAGES)[number]['to'] }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-5 text-xl font-semibold tracking-[-0.015em]">
      {PAGES.map(({ to, label }) =>
        to === current ? (
          <h1 key={to} tabIndex={-1} className="outline-none">
            {label}
          </h1>
        ) : (
          <Link key={to} to={to} className="rounded-sm text-ink-3 transition-colors hover:text-ink">
            {label}
          </Link>
        ),
      )}
    </span>
  );
}
