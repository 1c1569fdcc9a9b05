import { chime } from '#web/away/chime.ts';
import { showNotice } from '#web/away/notice.ts';
import { readWhenDone } from '#web/away/when-done.ts';

/** Tabs that hear of the same end do so within that time. */
const ONCE_WITHIN_MS = 4_000;

/** Tells a person who looks elsewhere, as they chose on this device; once, however many tabs hear of it. */
export async function ring(title: string, body: string): Promise<void> {
  const { notify, sound } = readWhenDone();
  if (!notify && !sound) return;
  await onceForAllTabs(async () => {
    if (notify) showNotice(title, body);
    if (sound) await chime().catch(() => undefined);
  });
}

async function onceForAllTabs(work: () => Promise<void>): Promise<void> {
  // Only secure addresses have locks; elsewhere two tabs may both ring.
  const { locks } = navigator;
  if (!locks) return work();
  await locks.request('emulsion.ring', { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await work();
    await new Promise((resolve) => setTimeout(resolve, ONCE_WITHIN_MS));
  });
}
