import { LibraryBig, Link2, type LucideIcon, Star, Trash2, Upload } from 'lucide-react';

interface Place {
  /** What `place` of the frame names; that of a collection is its id. */
  place: string;
  label: string;
  icon: LucideIcon;
  link: { to: '/library' | '/uploads' | '/library/shares' | '/library/trash'; search: { starred?: true } };
}

export const FIRST_PLACES: readonly Place[] = [
  { place: 'all', label: 'All media', icon: LibraryBig, link: { to: '/library', search: {} } },
  { place: 'starred', label: 'Starred', icon: Star, link: { to: '/library', search: { starred: true } } },
  { place: 'uploads', label: 'Uploads', icon: Upload, link: { to: '/uploads', search: {} } },
];

export const LAST_PLACES: readonly Place[] = [
  { place: 'shares', label: 'Shared links', icon: Link2, link: { to: '/library/shares', search: {} } },
  { place: 'trash', label: 'Trash', icon: Trash2, link: { to: '/library/trash', search: {} } },
];
