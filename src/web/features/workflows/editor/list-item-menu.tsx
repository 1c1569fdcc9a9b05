import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2 } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';

interface ListItemMenuProps {
  name: string;
  at: number;
  count: number;
  onMove: (to: number) => void;
  onDuplicate?: () => void;
  onDelete: () => void;
}

export function ListItemMenu({ name, at, count, onMove, onDuplicate, onDelete }: ListItemMenuProps) {
  return (
    <Menu
      label={`Actions for ${name}`}
      renderTrigger={(props) => (
        <IconButton
          {...props}
          size="sm"
          label={`Actions for ${name}`}
          icon={<Ellipsis aria-hidden="true" className="size-4" />}
        />
      )}
    >
      <MenuItem icon={<ArrowUp aria-hidden="true" />} disabled={at === 0} onSelect={() => onMove(at - 1)}>
        Move up
      </MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden="true" />} disabled={at === count - 1} onSelect={() => onMove(at + 1)}>
        Move down
      </MenuItem>
      {onDuplicate ? (
        <MenuItem icon={<Copy aria-hidden="true" />} onSelect={onDuplicate}>
          Duplicate
        </MenuItem>
      ) : null}
      <MenuItem icon={<Trash2 aria-hidden="true" />} tone="danger" onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  );
}
