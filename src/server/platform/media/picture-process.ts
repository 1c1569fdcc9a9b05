import { createJobProcess, type JobProcess } from './job-process.ts';
import { PictureResponse, type PictureJob } from './picture-protocol.ts';
import { type Confinement, workerCommand } from './sandbox.ts';

export type PictureProcess = JobProcess<PictureJob, PictureResponse>;

const DECODING_BYTES = 512 * 1024 ** 2;

/** @param decodingBytes a decoder that needs more memory fails */
export const createPictureProcess = (confinement: Confinement, decodingBytes = DECODING_BYTES): PictureProcess =>
  createJobProcess({
    command: workerCommand(confinement, 'picture-worker.ts'),
    response: PictureResponse,
    memoryBytes: confinement.can_limit ? decodingBytes : null,
    messages: { timeout: 'The image took too long to read.', exited: 'The image could not be read.' },
  });
