import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useRef, useState } from 'react';
import { floatingProps } from './popover.tsx';

const DELAY_MS = 450;
/** Time to cross the gap from the element to its tooltip. */
const LEAVE_MS = 150;

/** Mounted once for every `[data-tooltip]`, so that a table of a thousand rows costs nothing. */
export function TooltipLayer() {
  const panel = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ target: Element; text: string } | null>(null);
  useEffect(() => {
    let timer = 0;
    let shownFor: Element | null = null;
    let hiddenAtMs = 0;
    /** What has the focus of the keyboard keeps its tooltip while the page scrolls or moves below the pointer. */
    let isForFocus = false;
    const hide = () => {
      window.clearTimeout(timer);
      isForFocus = false;
      if (shownFor) hiddenAtMs = performance.now();
      shownFor = null;
      setShown(null);
    };
    const show = (target: Element) => {
      const text = textOf(target);
      if (!text || !target.isConnected || showsLabel(target) || target.matches('[aria-expanded=true]')) return;
      setShown({ target, text });
      shownFor = target;
    };
    const isOnPanel = ({ target }: Event) => target instanceof Node && panel.current?.contains(target) === true;
    const find = ({ target }: Event) => (target instanceof Element ? target.closest('[data-tooltip]') : null);
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      const target = find(event);
      if (!target && isForFocus) return;
      if ((shownFor && target === shownFor) || isOnPanel(event)) return window.clearTimeout(timer);
      if (!target && shownFor) {
        window.clearTimeout(timer);
        timer = window.setTimeout(hide, LEAVE_MS);
        return;
      }
      hide();
      if (target) timer = window.setTimeout(() => show(target), performance.now() - hiddenAtMs < 200 ? 0 : DELAY_MS);
    };
    const onFocus = (event: FocusEvent) => {
      const own = find(event);
      hide();
      if (!(event.target instanceof Element) || !event.target.matches(':focus-visible')) return;
      const target = own ?? event.target;
      isForFocus = true;
      // Delayed: the focus may be moving because another panel is opening, or on to the next row.
      timer = window.setTimeout(() => show(target), own ? 0 : DELAY_MS);
    };
    const onDown = (event: PointerEvent) => {
      if (!isOnPanel(event)) hide();
    };
    // A finger has no hover: a tap on what has no other use shows the text.
    const onTap = (event: MouseEvent) => {
      const target = find(event);
      if (!(event instanceof PointerEvent) || event.pointerType !== 'touch' || !target) return;
      if (event.target instanceof Element && !event.target.closest(PRESSABLE)) show(target);
    };
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener('pointerover', onOver, { signal });
    document.addEventListener('pointerdown', onDown, { signal });
    document.addEventListener('click', onTap, { signal });
    document.addEventListener('focusin', onFocus, { signal });
    document.addEventListener('focusout', hide, { signal });
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal });
    document.addEventListener('scroll', () => !isForFocus && hide(), { signal, capture: true, passive: true });
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, []);
  return (
    // The keys and presses of the page hide it; it takes none of them away from what lies below.
    <Tooltip.Root open={shown !== null} onOpenChange={(_, details) => (details.cancel(), details.allowPropagation())}>
      <Tooltip.Portal>
        <Tooltip.Positioner {...floatingProps} className="z-90" anchor={shown?.target} side="top">
          <Tooltip.Popup
            ref={panel}
            role="tooltip"
            className="floating max-w-72 border-transparent! bg-ink! px-2 py-1 text-xs text-canvas! whitespace-pre-line"
          >
            {shown?.text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** A row or link has the texts of what is in it and has no focus of its own, such as exact times. */
function textOf(target: Element): string | null {
  const own = target.getAttribute('data-tooltip');
  if (own !== null) return own;
  const holder = target.matches('[data-row]') ? target.closest('tr, li') : target.matches('a, button') ? target : null;
  const parts = [...(holder?.querySelectorAll('[data-tooltip]') ?? [])].filter((part) => !part.matches(PRESSABLE));
  return parts.map((part) => part.getAttribute('data-tooltip')).join('\n') || null;
}

const PRESSABLE = 'a, button, input, select, textarea, label, summary, [role=button], [role=option]';

/** Whether the element already shows its label (marked `data-shows-label`), so that a tooltip would repeat it. */
function showsLabel(target: Element): boolean {
  const label = target.querySelector('[data-shows-label]');
  return label instanceof HTMLElement && label.offsetWidth > 1;
}
