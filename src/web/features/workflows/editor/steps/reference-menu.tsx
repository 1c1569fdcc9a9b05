import { Link2 } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import type { Reference } from '../step-references.ts';

interface ReferenceMenuProps {
  label: string;
  references: readonly Reference[];
  onPick: (reference: Reference) => void;
  /** Null if the value is the default already, or must be set. */
  onReset: (() => void) | null;
}

/** Picks an input, a file of an earlier step or the current item as the value of a field. */
export function ReferenceMenu({ label, references, onPick, onReset }: ReferenceMenuProps) {
  if (references.length === 0 && !onReset) return <span className="w-8 flex-none pointer-coarse:w-11" />;
  const name = `Fill ${label} from…`;
  return (
    <Menu
      label={name}
      renderTrigger={(props) => (
        <IconButton {...props} label={name} icon={<Link2 aria-hidden="true" className="size-4" />} />
      )}
    >
      {references.map((reference) => (
        <MenuItem
          key={reference.expression}
          aside={<span className="text-xs text-ink-3">{reference.group}</span>}
          onSelect={() => onPick(reference)}
        >
          {reference.label}
        </MenuItem>
      ))}
      {references.length > 0 && onReset ? <MenuSeparator /> : null}
      {onReset ? <MenuItem onSelect={onReset}>Use the default</MenuItem> : null}
    </Menu>
  );
}
