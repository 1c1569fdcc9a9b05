/** Asks until the answer is there. @throws after 10 s, with what was asked for */
export async function waitFor<T>(what: string, ask: () => Promise<T | undefined | null | false>): Promise<T> {
  const give_up_ms = Date.now() + 10_000;
  while (Date.now() < give_up_ms) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Waited 10 s in vain for ${what}.`);
}
