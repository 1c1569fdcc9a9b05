import { createDecodeQueue, type DecodeQueue } from '#server/platform/media/decode-queue.ts';
import { createJobProcess, type JobProcess } from '#server/platform/media/job-process.ts';
import { type Confinement, workerCommand } from '#server/platform/media/sandbox.ts';
import type { InspectJob, SignJob } from './credential-job.ts';
import { CredentialResponse } from './credential-protocol.ts';

/** A process with a queue of its own: what hangs in one holds up nothing else. */
interface CredentialTurn {
  process: JobProcess<SignJob | InspectJob, CredentialResponse>;
  queue: DecodeQueue;
}

export interface CredentialProcesses {
  /** Signing of results. */
  signing: CredentialTurn;
  /** Checks that someone with an account asks for. */
  checks: CredentialTurn;
  /** Checks that anybody asks for. */
  publicChecks: CredentialTurn;
}

const MIB = 2 ** 20;
const MEMORY_BYTES = 512 * MIB;
/** Longer than one file that takes all the time it may, and short enough for somebody who waits. */
const CHECK_WAIT_MS = 25_000;

export function createCredentialProcesses(confinement: Confinement): CredentialProcesses {
  const command = workerCommand(confinement, 'credentials/credential-worker.ts');
  const open = (program: readonly string[], waitMs: number): CredentialTurn => ({
    process: createJobProcess({
      command: program,
      response: CredentialResponse,
      memoryBytes: confinement.can_limit ? MEMORY_BYTES : null,
      messages: {
        timeout: 'The content credentials took too long to read.',
        exited: 'The content credentials could not be read.',
      },
    }),
    queue: createDecodeQueue({ slots: 1, bytes: MEMORY_BYTES, waitingPerOwner: 16, waiting: 64, waitMs }),
  });
  const behind = [...confinement.inBackground, ...command];
  return {
    signing: open(command, 120_000),
    checks: open(behind, CHECK_WAIT_MS),
    publicChecks: open(behind, CHECK_WAIT_MS),
  };
}
