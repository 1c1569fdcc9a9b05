import { readFile } from 'node:fs/promises';
import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore } from '@trustnxt/c2pa-ts/manifest';

/** Checks the credentials of a PNG or JPEG with another library than the one that signs. */
export async function isValidElsewhere(file: string): Promise<boolean> {
  const bytes = Uint8Array.from(await readFile(file));
  const asset = PNG.canRead(bytes) ? new PNG(bytes) : new JPEG(bytes);
  const jumbf = asset.getManifestJUMBF();
  if (!jumbf) throw new Error('It has no manifest.');
  return (await ManifestStore.read(SuperBox.fromBuffer(Uint8Array.from(jumbf))).validate(asset)).isValid;
}
