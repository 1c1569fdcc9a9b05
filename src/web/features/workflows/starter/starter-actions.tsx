import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, History, PenLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const LazyDeleteStarterDialog = lazyComponent(
  async () => (await import('./delete-starter-dialog.tsx')).DeleteStarterDialog,
);

export function StarterActions({ starter: { slug, name, source } }: { starter: WorkflowStarter }) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const own = source === 'own';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link to="/workflows" search={{ part: 'runs', starter: slug }} className={buttonClass()}>
        <History aria-hidden="true" className="size-4" />
        Past runs
      </Link>
      {own ? (
        <Link to="/workflows/$slug/edit" params={{ slug }} className={buttonClass()}>
          <PenLine aria-hidden="true" className="size-4" />
          Edit
        </Link>
      ) : (
        <Link to="/workflows/new" search={{ like: slug }} className={buttonClass()}>
          <Copy aria-hidden="true" className="size-4" />
          Duplicate and edit
        </Link>
      )}
      {own ? (
        <Menu
          label="More actions"
          renderTrigger={(props) => (
            <IconButton
              {...props}
              outlined
              label="More actions"
              icon={<Ellipsis aria-hidden="true" className="size-4" />}
            />
          )}
        >
          <MenuItem
            icon={<Copy aria-hidden="true" />}
            onSelect={() => void navigate({ to: '/workflows/new', search: { like: slug } })}
          >
            Duplicate and edit
          </MenuItem>
          <MenuItem icon={<Trash2 aria-hidden="true" />} tone="danger" onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </Menu>
      ) : null}
      {deleting ? <LazyDeleteStarterDialog slug={slug} name={name} onClose={() => setDeleting(false)} /> : null}
    </div>
  );
}
