import { useState } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';

/** The generation as the service sends it; written out only when it is asked for. */
export function RawJson({ generation }: { generation: Generation }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure summary="As JSON" onToggle={(event) => setOpen(event.currentTarget.open)}>
      {open ? <JsonBlock text={JSON.stringify(generation, null, 2)} /> : null}
    </Disclosure>
  );
}

function JsonBlock({ text }: { text: string }) {
  return (
    <div className="relative">
      <span className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={text} label="Copy JSON" />
      </span>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take focus */}
      <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs leading-relaxed">
        {text}
      </pre>
    </div>
  );
}
