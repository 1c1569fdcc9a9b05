import { serveJobs } from '#server/platform/media/serve-jobs.ts';
import { isLibraryFailure, loadLibrary } from './c2pa-library.ts';
import type { InspectJob, SignJob } from './credential-job.ts';
import type { CredentialResponse } from './credential-protocol.ts';
import { runInspectJob } from './run-inspect-job.ts';
import { runSignJob } from './run-sign-job.ts';

// A separate process, because the library reads untrusted files and nothing inside can stop it.

// Before the first job, whose time is limited.
loadLibrary();
await serveJobs<SignJob | InspectJob, CredentialResponse>(async (job, ask) => {
  try {
    if (job.kind === 'sign') return { manifest: await runSignJob(job, (claim) => ask({ claim })) };
    return { inspection: await runInspectJob(job) };
  } catch (error) {
    if (!isLibraryFailure(error)) throw error;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
});
