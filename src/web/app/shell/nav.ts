import {
  BookOpen,
  Eye,
  Images,
  KeyRound,
  LibraryBig,
  type LucideIcon,
  ScrollText,
  Settings,
  Sparkles,
  Tags,
  Upload,
  Wallet,
  Webhook,
  Workflow,
  Plug,
} from 'lucide-react';

export interface NavEntry {
  to: string;
  label: string;
  icon: LucideIcon;
  keys: string;
  group: 'studio' | 'account' | 'reference';
  /** Shown in the bar of a phone; others are under "More" there. */
  bar?: true;
  operators?: true;
  /** Shown to those who may read the audit log. */
  auditors?: true;
  showsPendingReviews?: true;
}

const allEntries: readonly NavEntry[] = [
  { to: '/create', label: 'Create', icon: Sparkles, keys: 'g c', group: 'studio', bar: true },
  { to: '/generations', label: 'Generations', icon: Images, keys: 'g g', group: 'studio', bar: true },
  { to: '/workflows', label: 'Workflows', icon: Workflow, keys: 'g w', group: 'studio' },
  { to: '/library', label: 'Library', icon: LibraryBig, keys: 'g l', group: 'studio', bar: true },
  { to: '/uploads', label: 'Uploads', icon: Upload, keys: 'g u', group: 'studio' },
  {
    to: '/review',
    label: 'Review',
    icon: Eye,
    keys: 'g r',
    group: 'studio',
    operators: true,
    showsPendingReviews: true,
  },
  { to: '/billing', label: 'Billing', icon: Wallet, keys: 'g b', group: 'account' },
  { to: '/keys', label: 'Keys', icon: KeyRound, keys: 'g k', group: 'account', operators: true },
  { to: '/providers', label: 'Providers', icon: Plug, keys: 'g p', group: 'account', operators: true },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook, keys: 'g h', group: 'account', operators: true },
  { to: '/audit', label: 'Audit log', icon: ScrollText, keys: 'g a', group: 'account', auditors: true },
  { to: '/models', label: 'Models & prices', icon: Tags, keys: 'g m', group: 'reference' },
  { to: '/docs', label: 'API docs', icon: BookOpen, keys: 'g d', group: 'reference' },
  { to: '/settings', label: 'Settings', icon: Settings, keys: 'g s', group: 'reference' },
];

export const navEntries = ({ is_operator, is_auditor }: { is_operator: boolean; is_auditor: boolean }) =>
  allEntries.filter(({ operators, auditors }) => (is_operator || !operators) && (is_auditor || !auditors));

export const navGroups = ['studio', 'account', 'reference'] as const satisfies readonly NavEntry['group'][];
