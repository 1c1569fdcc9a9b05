import { ChevronDown, FileX2 } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx';

interface BareDownloadMenuProps {
  outlined?: boolean;
  disabled?: boolean;
  onDownload: () => void;
}

/** Further ways to download, for those who may remove content credentials. */
export function BareDownloadMenu({ outlined = false, disabled = false, onDownload }: BareDownloadMenuProps) {
  const isAllowed = useCan('credentials.remove');
  if (!isAllowed) return null;
  return (
    <Menu
      label="More downloads, recorded in the audit log"
      className="w-76"
      header={
        <p aria-hidden="true" className="px-2 pt-1 pb-1.5 text-xs text-ink-3">
          Recorded in the audit log
        </p>
      }
      renderTrigger={(props) => (
        <IconButton
          {...props}
          outlined={outlined}
          disabled={disabled}
          label="More downloads"
          icon={<ChevronDown aria-hidden="true" className="size-4" />}
        />
      )}
    >
      <MenuItem icon={<FileX2 aria-hidden="true" />} onSelect={onDownload}>
        Download without content credentials
      </MenuItem>
    </Menu>
  );
}
