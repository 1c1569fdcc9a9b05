import { Images, LibraryBig, type LucideIcon, SlidersHorizontal, Sparkles, Wallet, Workflow } from 'lucide-react';
import type { Permission } from '#contract/permissions.ts';

export interface NavPage {
  to: string;
  /** The address of pages that are opened from this one. */
  also?: string;
  label: string;
  keys: string;
  /** What the page needs; without it, everybody may open it. */
  permission?: Permission;
  /** Hidden until a session is known to have the permission. */
  hiddenAtFirst?: true;
}

export interface NavEntry {
  label: string;
  icon: LucideIcon;
  /** The first one that is allowed opens with the entry. */
  pages: readonly NavPage[];
  /** Shown in the bar of a phone; others are under "More" there. */
  bar?: true;
  /** What the entry needs in addition to a page that is allowed. */
  permission?: Permission;
  /** Lists its pages beside the open one. */
  listsPages?: true;
  showsFunds?: true;
}

const allEntries: readonly NavEntry[] = [
  {
    label: 'Create',
    icon: Sparkles,
    bar: true,
    pages: [{ to: '/create', label: 'Create', keys: 'g c', permission: 'work.create' }],
  },
  {
    label: 'Generations',
    icon: Images,
    bar: true,
    pages: [
      { to: '/generations', label: 'Generations', keys: 'g g', permission: 'work.read' },
      { to: '/batches', label: 'Batches', keys: 'g t', permission: 'work.read' },
    ],
  },
  {
    label: 'Library',
    icon: LibraryBig,
    bar: true,
    pages: [
      { to: '/library', label: 'Library', keys: 'g l', permission: 'work.read' },
      { to: '/uploads', label: 'Uploads', keys: 'g u', permission: 'work.read' },
    ],
  },
  {
    label: 'Workflows',
    icon: Workflow,
    pages: [{ to: '/workflows', label: 'Workflows', keys: 'g w', permission: 'work.read' }],
  },
  {
    label: 'Billing',
    icon: Wallet,
    showsFunds: true,
    pages: [
      { to: '/billing', label: 'Billing', keys: 'g b', permission: 'billing.read_own' },
      { to: '/review', label: 'Review', keys: 'g r', permission: 'reviews.read', hiddenAtFirst: true },
    ],
  },
  {
    label: 'Manage',
    icon: SlidersHorizontal,
    permission: 'audit.read',
    listsPages: true,
    pages: [
      { to: '/people', label: 'People', keys: 'g o', permission: 'people.read', hiddenAtFirst: true },
      { to: '/providers', label: 'Providers', keys: 'g p', permission: 'providers.manage', hiddenAtFirst: true },
      { to: '/models', also: '/added-models', label: 'Models & prices', keys: 'g m' },
      { to: '/keys', label: 'Keys', keys: 'g k', permission: 'keys.manage_own', hiddenAtFirst: true },
      { to: '/webhooks', label: 'Webhooks', keys: 'g h', permission: 'webhooks.manage', hiddenAtFirst: true },
      { to: '/alerts', label: 'Alerts', keys: 'g n', permission: 'alerts.read', hiddenAtFirst: true },
      { to: '/audit', label: 'Audit log', keys: 'g a', permission: 'audit.read', hiddenAtFirst: true },
      { to: '/settings', label: 'Organization', keys: 'g s', permission: 'settings.manage', hiddenAtFirst: true },
      { to: '/docs', label: 'Connect a tool', keys: 'g d' },
    ],
  },
];

/** What a session may do; null while signed out or unknown. */
type Permissions = readonly string[] | null;

const mayOpen =
  (permissions: Permissions) =>
  ({ permission, hiddenAtFirst }: NavPage): boolean =>
    permission === undefined || (permissions ? permissions.includes(permission) : !hiddenAtFirst);

/** Entries with the pages that may be opened. */
export const navEntries = (permissions: Permissions): readonly NavEntry[] =>
  allEntries
    .filter(({ permission }) => permission === undefined || permissions?.includes(permission))
    .map((entry) => ({ ...entry, pages: entry.pages.filter(mayOpen(permissions)) }))
    .filter(({ pages }) => pages.length > 0);

/** Pages that may be opened, also those of entries that are not shown. */
export const navPages = (permissions: Permissions): readonly (NavPage & Pick<NavEntry, 'icon'>)[] =>
  allEntries.flatMap(({ pages, icon }) => pages.filter(mayOpen(permissions)).map((page) => ({ ...page, icon })));

export const isPathOf =
  (pathname: string) =>
  ({ to, also }: NavPage): boolean =>
    [to, also].some((path) => path !== undefined && `${pathname}/`.startsWith(`${path}/`));

export const findEntry = (entries: readonly NavEntry[], pathname: string): NavEntry | undefined =>
  entries.find(({ pages }) => pages.some(isPathOf(pathname)));
