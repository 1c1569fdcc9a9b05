import {
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { cx } from './cx.ts';
import { positionFloating, type Align, type Side } from './position-floating.ts';

export interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>;
  popoverTarget: string;
  'aria-expanded': boolean;
  'aria-haspopup'?: 'menu' | 'dialog';
  onKeyDown?: (event: KeyboardEvent) => void;
}

export interface PopoverProps extends Omit<ComponentProps<'div'>, 'children' | 'popover'> {
  renderTrigger: (props: TriggerProps) => ReactNode;
  side?: Side;
  align?: Align;
  /** Role of the content. MenuList sets its own role. */
  kind?: 'menu' | 'dialog';
  children: ReactNode | ((close: () => void) => ReactNode);
  onOpenChange?: (open: boolean) => void;
}

/** Renders a panel at a button. Escape and a press outside close it; the focus returns to the button. */
export function Popover({
  renderTrigger,
  side,
  align,
  kind = 'dialog',
  children,
  onOpenChange,
  className,
  ...rest
}: PopoverProps) {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => document.getElementById(id)?.hidePopover();

  useEffect(() => {
    if (!open) return;
    const update = () =>
      anchor.current && panel.current && positionFloating(anchor.current, panel.current, side, align);
    update();
    const observer = new ResizeObserver(update);
    if (panel.current) observer.observe(panel.current);
    window.addEventListener('resize', update);
    window.addEventListener('scroll', update, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', update);
      window.removeEventListener('scroll', update, { capture: true });
    };
  }, [open, side, align, anchor, panel]);

  const openByArrow = (event: KeyboardEvent) => {
    const openAt = { ArrowDown: 'start', ArrowUp: 'end' }[event.key];
    if (openAt === undefined || open || !panel.current) return;
    event.preventDefault();
    panel.current.dataset['openAt'] = openAt;
    panel.current.showPopover(anchor.current ? { source: anchor.current } : undefined);
  };

  return (
    <>
      {renderTrigger({
        ref: anchor,
        popoverTarget: id,
        'aria-expanded': open,
        'aria-haspopup': kind,
        ...(kind === 'menu' ? { onKeyDown: openByArrow } : {}),
      })}
      <div
        {...rest}
        ref={panel}
        id={id}
        popover="auto"
        role={kind === 'dialog' ? 'dialog' : undefined}
        className={cx('floating max-h-[80dvh] max-w-[calc(100vw-1rem)] overflow-y-auto', className)}
        onToggle={(event) => {
          // React passes on the event of a menu inside.
          if (event.target !== event.currentTarget) return;
          const next = event.newState === 'open';
          setOpen(next);
          if (!next) delete event.currentTarget.dataset['openAt'];
          onOpenChange?.(next);
        }}
      >
        {open ? (typeof children === 'function' ? children(close) : children) : null}
      </div>
    </>
  );
}
