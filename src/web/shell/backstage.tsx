import { useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { followGenerations } from '#web/away/follow-generations.ts';
import { ACCEPTED } from '#web/forms/accepted-files.ts';
import { followArrivals } from '#web/queries/follow-arrivals.ts';
import { useSession } from '#web/session/session.ts';
import { useCommands } from '#web/shell/commands.ts';
import { type Drag, DropOverlay } from '#web/uploads/drop-overlay.tsx';
import { goOnWithUploads } from '#web/uploads/go-on-with-uploads.ts';
import { isFormOpen, readSendings, sendFiles, type Sending, subscribeSendings } from '#web/uploads/sendings.ts';
import { watchDrops } from '#web/uploads/watch-drops.ts';
import { onDemand } from '#web/ui/on-demand.tsx';

const Dock = onDemand(async () => (await import('#web/uploads/dock.tsx')).Dock);

/** What a form does not show by itself. */
const isDocked = ({ place, dismissed }: Sending) => !dismissed && (place === null || !isFormOpen(place.form));

/** What works behind every page: files that are dropped or on their way, and word when what was started has ended. */
export function Backstage() {
  const [drag, setDrag] = useState<Drag | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const signed_in = useSession() === 'signed_in';
  const docked = useSyncExternalStore(subscribeSendings, readSendings).filter(isDocked);
  const client = useQueryClient();
  useEffect(() => watchDrops((next) => setDrag((before) => (before?.words === next?.words ? before : next))), []);
  useEffect(goOnWithUploads, []);
  useEffect(() => followArrivals(client), [client]);
  useEffect(() => followGenerations(client), [client]);
  useCommands(
    signed_in
      ? [{ group: 'General', label: 'Upload files', icon: Upload, keys: 'u', run: () => input.current?.click() }]
      : [],
  );
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={Object.values(ACCEPTED).join()}
        onChange={(event) => {
          sendFiles([...(event.target.files ?? [])], null);
          event.target.value = '';
        }}
      />
      {drag ? <DropOverlay drag={drag} /> : null}
      {docked.length > 0 ? <Dock sendings={docked} /> : null}
    </>
  );
}
