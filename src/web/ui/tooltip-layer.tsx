import { useEffect, useRef } from 'react';
import { positionFloating } from './position-floating.ts';

const delay_ms = 450;
/** Time to cross the gap from the element to its tooltip. */
const leave_ms = 150;

/** Mounted once for every `[data-tooltip]`, so that a table of a thousand rows costs nothing. */
export function TooltipLayer() {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const panel = layer.current;
    if (!panel) return;
    let timer = 0;
    let shownFor: Element | null = null;
    let hiddenAt_ms = 0;
    const hide = () => {
      window.clearTimeout(timer);
      if (shownFor) hiddenAt_ms = performance.now();
      shownFor = null;
      if (panel.matches(':popover-open')) panel.hidePopover();
    };
    const show = (target: Element) => {
      const text = textOf(target);
      if (!text || !target.isConnected || showsLabel(target) || target.matches('[aria-expanded=true]')) return;
      panel.textContent = text;
      panel.showPopover();
      positionFloating(target, panel, target.closest('[data-tooltip-side="right"]') ? 'right' : 'top', 'center');
      shownFor = target;
    };
    const find = (event: Event) => (event.target instanceof Element ? event.target.closest('[data-tooltip]') : null);
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      const target = find(event);
      if (target === shownFor && target) return window.clearTimeout(timer);
      if (event.target instanceof Node && panel.contains(event.target)) return window.clearTimeout(timer);
      if (!target && shownFor) {
        window.clearTimeout(timer);
        timer = window.setTimeout(hide, leave_ms);
        return;
      }
      hide();
      if (target) timer = window.setTimeout(() => show(target), performance.now() - hiddenAt_ms < 200 ? 0 : delay_ms);
    };
    const onFocus = (event: FocusEvent) => {
      const own = find(event);
      hide();
      if (!(event.target instanceof Element) || !event.target.matches(':focus-visible')) return;
      const target = own ?? event.target;
      // Delayed: the focus may be moving because another panel is opening, or on to the next row.
      timer = window.setTimeout(() => show(target), own ? 0 : delay_ms);
    };
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    document.addEventListener('pointerover', onOver);
    const onDown = (event: PointerEvent) => {
      if (event.target instanceof Node && panel.contains(event.target)) return;
      hide();
    };
    // A finger has no hover: a tap on what has no other use shows the text.
    const onTap = (event: MouseEvent) => {
      const target = find(event);
      if (!(event instanceof PointerEvent) || event.pointerType !== 'touch' || !target) return;
      if (!(event.target instanceof Element) || event.target.closest(PRESSABLE)) return;
      show(target);
    };
    document.addEventListener('pointerdown', onDown);
    document.addEventListener('click', onTap);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('keydown', onKey);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      hide();
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('pointerdown', onDown);
      document.removeEventListener('click', onTap);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);
  return (
    <div
      ref={layer}
      popover="manual"
      role="tooltip"
      className="floating max-w-72 border-transparent! bg-ink! px-2 py-1 text-xs text-canvas! whitespace-pre-line"
    />
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
