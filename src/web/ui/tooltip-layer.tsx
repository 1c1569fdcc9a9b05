import { useEffect, useRef } from 'react';
import { positionFloating } from './position-floating.ts';

const delay_ms = 450;

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
      const text = target.getAttribute('data-tooltip');
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
      if (target === shownFor && target) return;
      if (event.target instanceof Node && panel.contains(event.target)) return;
      hide();
      if (target) timer = window.setTimeout(() => show(target), performance.now() - hiddenAt_ms < 200 ? 0 : delay_ms);
    };
    const onFocus = (event: FocusEvent) => {
      const target = find(event);
      hide();
      if (!target || !(event.target instanceof Element) || !event.target.matches(':focus-visible')) return;
      // Delayed: the focus may be moving because another panel is opening.
      timer = window.setTimeout(() => show(target), 0);
    };
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    document.addEventListener('pointerover', onOver);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('keydown', onKey);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      hide();
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('pointerdown', hide);
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

/** Whether the element already shows its label (marked `data-shows-label`), so that a tooltip would repeat it. */
function showsLabel(target: Element): boolean {
  const label = target.querySelector('[data-shows-label]');
  return label instanceof HTMLElement && label.offsetWidth > 1;
}
