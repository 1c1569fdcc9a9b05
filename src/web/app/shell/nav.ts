import {
  BookOpen,
  Eye,
  Images,
  KeyRound,
  Rows3,
  LibraryBig,
  type LucideIcon,
  ScrollText,
  Settings,
  Sparkles,
  Tags,
  Upload,
  Users,
  Wallet,
  Webhook,
  Workflow,
  Plug,
} from 'lucide-react';
import type { Permission } from '#contract/permissions.ts';

export interface NavEntry {
  to: string;
  label: string;
  icon: LucideIcon;
  keys: string;
  group: 'studio' | 'account' | 'reference';
  /** Shown in the bar of a phone; others are under "More" there. */
  bar?: true;
  /** What the page needs; without it, everybody sees the entry. */
  permission?: Permission;
  /** Hidden until a session is known to have the permission. */
  hiddenAtFirst?: true;
  showsPendingReviews?: true;
}

const allEntries: readonly NavEntry[] = [
  {
    to: '/create',
    label: 'Create',
    icon: Sparkles,
    keys: 'g c',
    group: 'studio',
    bar: true,
    permission: 'work.create',
  },
  {
    to: '/generations',
    label: 'Generations',
    icon: Images,
    keys: 'g g',
    group: 'studio',
    bar: true,
    permission: 'work.read',
  },
  { to: '/batches', label: 'Batches', icon: Rows3, keys: 'g t', group: 'studio', permission: 'work.read' },
  { to: '/workflows', label: 'Workflows', icon: Workflow, keys: 'g w', group: 'studio', permission: 'work.read' },
  {
    to: '/library',
    label: 'Library',
    icon: LibraryBig,
    keys: 'g l',
    group: 'studio',
    bar: true,
    permission: 'work.read',
  },
  { to: '/uploads', label: 'Uploads', icon: Upload, keys: 'g u', group: 'studio', permission: 'work.read' },
  {
    to: '/review',
    label: 'Review',
    icon: Eye,
    keys: 'g r',
    group: 'studio',
    permission: 'reviews.read',
    hiddenAtFirst: true,
    showsPendingReviews: true,
  },
  { to: '/billing', label: 'Billing', icon: Wallet, keys: 'g b', group: 'account', permission: 'billing.read_own' },
  {
    to: '/people',
    label: 'People',
    icon: Users,
    keys: 'g o',
    group: 'account',
    permission: 'people.read',
    hiddenAtFirst: true,
  },
  {
    to: '/keys',
    label: 'Keys',
    icon: KeyRound,
    keys: 'g k',
    group: 'account',
    permission: 'keys.manage_own',
    hiddenAtFirst: true,
  },
  {
    to: '/providers',
    label: 'Providers',
    icon: Plug,
    keys: 'g p',
    group: 'account',
    permission: 'providers.manage',
    hiddenAtFirst: true,
  },
  {
    to: '/webhooks',
    label: 'Webhooks',
    icon: Webhook,
    keys: 'g h',
    group: 'account',
    permission: 'webhooks.manage',
    hiddenAtFirst: true,
  },
  {
    to: '/audit',
    label: 'Audit log',
    icon: ScrollText,
    keys: 'g a',
    group: 'account',
    permission: 'audit.read',
    hiddenAtFirst: true,
  },
  { to: '/models', label: 'Models & prices', icon: Tags, keys: 'g m', group: 'reference' },
  { to: '/docs', label: 'API docs', icon: BookOpen, keys: 'g d', group: 'reference' },
  { to: '/settings', label: 'Settings', icon: Settings, keys: 'g s', group: 'reference' },
];

/** @param permissions what the session may do; null while signed out or unknown */
export const navEntries = (permissions: readonly string[] | null): readonly NavEntry[] =>
  allEntries.filter(
    ({ permission, hiddenAtFirst }) =>
      permission === undefined || (permissions ? permissions.includes(permission) : !hiddenAtFirst),
  );

export const navGroups = ['studio', 'account', 'reference'] as const satisfies readonly NavEntry['group'][];
