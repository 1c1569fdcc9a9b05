import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded into a service by `node --import`: kills it when an output is stored, before its generation is settled.
const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  await rename(from, to);
  if (String(to).includes('/objects/outputs/')) process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();
