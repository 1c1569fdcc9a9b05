/** Asking takes processor time from what is waited for. */
const FREQUENT_ASKS = 20;
const PAUSE_MS = { frequent: 10, later: 40 };
/** Half of what ends a test, so that the failure names what was waited for. */
const LONGEST_MS = 120_000;

/** @throws after a time in which even a busy machine would have answered, naming the expectation */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined | null | false>): Promise<T> {
  const giveUpMs = Date.now() + LONGEST_MS;
  for (let asks = 1; Date.now() < giveUpMs; asks += 1) {
    const answer = await ask();
    if (answer) return answer;
    const pauseMs = asks < FREQUENT_ASKS ? PAUSE_MS.frequent : PAUSE_MS.later;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`Waited ${LONGEST_MS / 1_000} s in vain for ${what}.`);
}
