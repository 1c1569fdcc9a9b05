import { type KeptUpload, keptFile, takeOver } from '#web/uploads/kept-files.ts';
import { readLimits } from '#web/uploads/limits.ts';
import { isAlive, tab_id } from '#web/uploads/living-tabs.ts';
import { setFlag } from '#web/uploads/kept-flag.ts';
import { knowKept } from '#web/uploads/persist.ts';
import { setResource } from '#web/uploads/resources.ts';
import { putSendings, type Sending, type SendingState } from '#web/uploads/sendings.ts';

const KEPT_FOR_MS = 7 * 86_400_000;

/** Lists what another page of this browser left unfinished, for the same key. What belongs to another key is forgotten. */
export async function restore(): Promise<void> {
  const { owner } = await readLimits();
  if (owner === null) return;
  const { taken, count } = await takeOver(
    tab_id,
    ({ tab }) => !isAlive(tab),
    (kept) => kept.owner === owner && kept.kept_at_ms > Date.now() - KEPT_FOR_MS,
  );
  setFlag(count > 0);
  if (taken.length === 0) return;
  const files = await Promise.all(taken.map(({ id }) => keptFile(id).catch(() => undefined)));
  knowKept(taken);
  for (const { id, resource } of taken) if (resource !== null) setResource(id, resource);
  putSendings(taken.map((kept, at) => ({ sending: listed(kept, files[at] !== undefined), file: files[at] })));
}

function stateOf({ problem, paused }: KeptUpload, has_file: boolean): SendingState {
  if (!has_file) return 'lost';
  if (problem !== null) return 'failed';
  return paused ? 'held' : 'waiting';
}

function listed(kept: KeptUpload, has_file: boolean): Sending {
  const { id, place, name, size_bytes, problem } = kept;
  const state = stateOf(kept, has_file);
  return {
    id,
    place,
    name,
    size_bytes,
    sent_bytes: 0,
    bytes_per_second: null,
    state,
    hold: state === 'held' ? 'paused' : null,
    problem: state === 'failed' ? problem : null,
    again: state === 'failed',
    upload_id: null,
    upload: null,
  };
}
