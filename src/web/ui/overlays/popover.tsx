import { Popover as Base } from '@base-ui/react/popover';
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react';
import { cx } from '#web/ui/cx.ts';

type TriggerProps = ComponentProps<'button'>;

/** Where a panel lies at its button. */
export interface Placement {
  side?: 'bottom' | 'top' | 'right';
  align?: 'start' | 'center' | 'end';
}

/** Keeps a panel over dialogs and within the window. */
export const floatingProps = {
  className: 'z-70',
  positionMethod: 'fixed',
  sideOffset: 6,
  collisionPadding: 8,
} as const;

export interface PopoverProps extends Placement {
  'aria-label': string;
  className: string;
  /** Renders the button: `renderTrigger={(props) => <IconButton {...props} … />}`. */
  renderTrigger: (props: TriggerProps) => ReactElement;
  children: ReactNode | ((close: () => void) => ReactNode);
  onOpenChange?: (open: boolean) => void;
}

/** Renders a panel at a button. Escape and a press outside close it; the focus returns to the button. */
export function Popover({
  renderTrigger,
  side,
  align = 'start',
  children,
  onOpenChange,
  className,
  ...rest
}: PopoverProps) {
  const [open, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        // A search box inside takes Escape for itself.
        if (details.reason === 'escape-key' && details.event.defaultPrevented) details.cancel();
        else change(next);
      }}
    >
      <Base.Trigger render={renderTrigger} />
      <Base.Portal>
        <Base.Positioner {...floatingProps} side={side} align={align}>
          <Base.Popup
            {...rest}
            className={cx(
              'floating max-h-[min(80dvh,var(--available-height))] max-w-[calc(100vw-1rem)] overflow-y-auto',
              className,
            )}
          >
            {typeof children === 'function' ? children(() => change(false)) : children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
