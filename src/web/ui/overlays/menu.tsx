import { Menu as Base } from '@base-ui/react/menu';
import { Ellipsis } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { IconButton, type IconButtonProps } from '#web/ui/controls/icon-button.tsx';
import { floatingProps, type Placement, type PopoverProps } from './popover.tsx';

export interface MenuProps extends Placement, Pick<PopoverProps, 'renderTrigger' | 'onOpenChange'> {
  label: string;
  /** Shown above the items. */
  header?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Renders a list of actions at a button. Arrows open it; arrows, Home, End and letters move the focus; Escape closes it. */
export function Menu({
  label,
  header,
  renderTrigger,
  side,
  align = 'end',
  className = 'min-w-48',
  children,
  onOpenChange,
}: MenuProps) {
  return (
    <Base.Root modal={false} onOpenChange={onOpenChange}>
      <Base.Trigger render={renderTrigger} />
      <Base.Portal>
        <Base.Positioner {...floatingProps} side={side} align={align}>
          <div
            className={`floating max-h-[min(80dvh,var(--available-height))] max-w-[calc(100vw-1rem)] overflow-y-auto p-1 ${className}`}
          >
            {header}
            <Base.Popup aria-label={label} className="outline-none">
              {children}
            </Base.Popup>
          </div>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type MoreMenuProps = Pick<MenuProps, 'label' | 'children'> & Pick<IconButtonProps, 'size' | 'outlined'>;

/** The further actions of a thing. */
export const MoreMenu = ({ label, children, ...button }: MoreMenuProps) => (
  <Menu
    label={label}
    renderTrigger={(trigger) => (
      <IconButton {...trigger} {...button} label={label} icon={<Ellipsis aria-hidden="true" className="size-4" />} />
    )}
  >
    {children}
  </Menu>
);

/** Classes of an item, for a link in a popover that looks like one of a menu. */
export const menuItemClass =
  'flex h-8 w-full items-center gap-2.5 rounded-sm px-2 text-left text-sm text-ink outline-none select-none focus:bg-hover hover:bg-hover data-highlighted:bg-hover aria-disabled:opacity-45 pointer-coarse:h-11 [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-ink-3 data-[tone=danger]:text-bad data-[tone=danger]:[&>svg]:text-bad';

export interface MenuItemProps {
  icon?: ReactNode;
  aside?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  tone?: 'default' | 'danger';
  children: ReactNode;
}

export function MenuItem({ icon, aside, onSelect, disabled, tone = 'default', children }: MenuItemProps) {
  return (
    <Base.Item disabled={disabled} onClick={onSelect} data-tone={tone} className={menuItemClass}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside}
    </Base.Item>
  );
}

/** A link as an item: `<MenuLink link={<Link to="/billing" />}>Billing</MenuLink>`. */
export function MenuLink({ link, children }: { link: ReactElement; children: ReactNode }) {
  return (
    <Base.LinkItem closeOnClick render={link} className={menuItemClass}>
      {children}
    </Base.LinkItem>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}
