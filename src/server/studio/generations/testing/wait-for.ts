/** @throws after the timeout (30 s), naming the expectation */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  longest_ms = 30_000,
): Promise<T> {
  const give_up_ms = Date.now() + longest_ms;
  while (Date.now() < give_up_ms) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Waited ${longest_ms / 1_000} s in vain for ${what}.`);
}
