import { KeyboardSheet } from './keyboard-sheet.tsx';
import { showOverlay, type Overlay } from './overlay.ts';
import { CommandPalette } from './command-palette.tsx';

/** The windows over every page, loaded when one is first asked for. */
export function Overlays({ overlay }: { overlay: Overlay }) {
  const close = () => showOverlay(null);
  return overlay === 'palette' ? <CommandPalette onClose={close} /> : <KeyboardSheet onClose={close} />;
}
