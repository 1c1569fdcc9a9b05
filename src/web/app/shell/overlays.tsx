import { showOverlay, type Overlay } from './overlay.ts';
import { CommandPalette } from './command-palette.tsx';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { readCommands } from '#web/ui/hooks/commands.ts';

/** Renders the dialogs over every page; loaded when one first opens. */
export function Overlays({ overlay }: { overlay: Overlay }) {
  const close = () => showOverlay(null);
  return overlay === 'palette' ? <CommandPalette onClose={close} /> : <HelpDialog onClose={close} />;
}

const linkClass =
  'block rounded-md border border-line px-3 py-2.5 transition-colors hover:border-line-strong hover:bg-hover';

const HELP_LINKS = [
  { to: '/models', label: 'Models & prices', text: 'What each model does best and costs' },
  { to: '/docs', label: 'Connect a tool', text: 'Addresses, keys and code for other tools, and the API' },
] as const;

/** Outside of the dashboard. */
const FURTHER_LINKS = [
  { href: '/verify', label: 'Check content credentials', text: 'A public page that says how a file was made' },
  { href: '/third-party-licenses.txt', label: 'Licenses', text: 'Third-party software in Emulsion' },
] as const;

/** Where to read on, and the shortcuts of the open page. */
function HelpDialog({ onClose }: { onClose: () => void }) {
  const [commands] = useState(() => readCommands().filter((command) => command.keys));
  const groups = Map.groupBy(commands, (command) => command.group);
  return (
    <Dialog open onClose={onClose} title="Help" size="lg" reading>
      <ul className="mb-6 grid gap-2 sm:grid-cols-2">
        {HELP_LINKS.map(({ to, label, text }) => (
          <li key={to}>
            <Link to={to} onClick={onClose} className={linkClass}>
              <span className="block font-medium">{label}</span>
              <span className="block text-sm text-ink-3">{text}</span>
            </Link>
          </li>
        ))}
        {FURTHER_LINKS.map(({ href, label, text }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
              <span className="block font-medium">{label}</span>
              <span className="block text-sm text-ink-3">{text}</span>
            </a>
          </li>
        ))}
      </ul>
      <h3 className="mb-3 text-md font-semibold">Keyboard shortcuts</h3>
      <div className="gap-10 sm:columns-2">
        {[...groups].map(([group, list]) => (
          <section key={group} className="mb-6 break-inside-avoid">
            <h4 className="mb-1.5 text-sm font-semibold text-ink-3">{group}</h4>
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
