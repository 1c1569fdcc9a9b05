import { createInterface } from 'node:readline';

/**
 * The other end of `createJobProcess`: reads jobs as lines on standard input and writes responses on standard output.
 * @param runJob may ask the service for one line in a job; an error is sent as `{ problem }`
 */
export async function serveJobs<Job, Response>(
  runJob: (job: Job, ask: (question: Response) => Promise<string>) => Promise<Response>,
): Promise<void> {
  const send = (message: Response | { problem: string } | 'ready'): boolean =>
    process.stdout.write(`${JSON.stringify(message)}\n`);
  send('ready');
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const ask = async (question: Response): Promise<string> => {
    send(question);
    return String((await lines.next()).value);
  };
  for (let line = await lines.next(); line.done !== true; line = await lines.next())
    send(await runJob(JSON.parse(line.value) as Job, ask).catch((error: unknown) => ({ problem: String(error) })));
}
