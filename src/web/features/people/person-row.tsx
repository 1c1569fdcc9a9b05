import { useQuery } from '@tanstack/react-query';
import { Ellipsis, PenLine, UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { Person } from '#contract/resources/person.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';

const EditPersonDialog = lazyComponent(async () => (await import('./edit-person-dialog.tsx')).EditPersonDialog);
const RemovePersonDialog = lazyComponent(async () => (await import('./remove-person-dialog.tsx')).RemovePersonDialog);

export function PersonRow({ person, canManage }: { person: Person; canManage: boolean }) {
  const { data: me } = useQuery(meQuery);
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null);
  const { id, name, email, role, last_active_at, removed_at } = person;
  const { label, description } = ROLE_LABELS[role];
  const isSelf = me?.person?.id === id;
  const close = () => setDialog(null);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4 py-3 md:grid-cols-[auto_minmax(0,1fr)_8rem_9rem_2.25rem]">
      <Avatar id={id} name={name} size="lg" className={removed_at ? 'opacity-50' : undefined} />
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {isSelf ? <Badge tone="amber">You</Badge> : null}
        </p>
        <p className="truncate text-sm text-ink-3">{email ?? 'No mail address'}</p>
      </div>
      <p className="max-md:col-start-2 max-md:row-start-2">
        <Badge hint={description}>{label}</Badge>
      </p>
      <p className="text-sm text-ink-3 max-md:col-span-2 max-md:col-start-2">
        {removed_at ? 'Removed ' : last_active_at ? 'Active ' : 'Not active yet'}
        {removed_at || last_active_at ? (
          <RelativeTime at={removed_at ?? last_active_at ?? ''} className="text-ink-2" />
        ) : null}
      </p>
      <span className="max-md:col-start-3 max-md:row-start-1">
        {canManage && !removed_at ? (
          <Menu
            label={`Actions for ${name}`}
            renderTrigger={(props) => (
              <IconButton
                {...props}
                label={`Actions for ${name}`}
                icon={<Ellipsis aria-hidden="true" className="size-4" />}
              />
            )}
          >
            <MenuItem icon={<PenLine aria-hidden="true" />} onSelect={() => setDialog('edit')}>
              Change name or role…
            </MenuItem>
            <MenuItem icon={<UserMinus aria-hidden="true" />} tone="danger" onSelect={() => setDialog('remove')}>
              Remove…
            </MenuItem>
          </Menu>
        ) : null}
      </span>
      {dialog === 'edit' ? <EditPersonDialog person={person} isSelf={isSelf} onClose={close} /> : null}
      {dialog === 'remove' ? <RemovePersonDialog person={person} isSelf={isSelf} onClose={close} /> : null}
    </li>
  );
}
