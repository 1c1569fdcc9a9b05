import { showOverlay, type Overlay } from './overlay.ts';
import { CommandPalette } from './command-palette.tsx';
import { useState } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { readCommands } from '#web/ui/commands.ts';

/** Renders the dialogs over every page; loaded when one first opens. */
export function Overlays({ overlay }: { overlay: Overlay }) {
  const close = () => showOverlay(null);
  return overlay === 'palette' ? <CommandPalette onClose={close} /> : <KeyboardSheet onClose={close} />;
}

function KeyboardSheet({ onClose }: { onClose: () => void }) {
  const [commands] = useState(() => readCommands().filter((command) => command.keys));
  const groups = Map.groupBy(commands, (command) => command.group);
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="lg" reading>
      <div className="gap-10 sm:columns-2">
        {[...groups].map(([group, list]) => (
          <section key={group} className="mb-6 break-inside-avoid">
            <h3 className="mb-1.5 text-sm font-semibold text-ink-3">{group}</h3>
            <dl>
              {list.map(({ label, keys = '' }) => (
                <div
                  key={label}
                  className="flex min-h-9 items-center justify-between gap-4 border-b border-line last:border-0"
                >
                  <dt>{label}</dt>
                  <dd className="flex-none">
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
