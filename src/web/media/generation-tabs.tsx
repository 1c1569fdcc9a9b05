import { Link } from '@tanstack/react-router';
import { LinkTabs, linkTabProps } from '#web/ui/tabs.tsx';

const PAGES = [
  { to: '/generations', label: 'Generations' },
  { to: '/batches', label: 'Batches' },
] as const;

/** The pages of Generations, below their title. */
export const GenerationTabs = ({ current }: { current: (typeof PAGES)[number]['to'] }) => (
  <LinkTabs label="Generations">
    {PAGES.map(({ to, label }) => (
      <Link key={to} to={to} {...linkTabProps(to === current)}>
        {label}
      </Link>
    ))}
  </LinkTabs>
);
