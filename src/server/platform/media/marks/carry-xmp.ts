import { readMarks } from './read-marks.ts';
import { writeXmp } from './write-xmp.ts';

/**
 * Copies the XMP packet of the first source that has one to a file that was made from them: a file has one packet.
 * Content credentials become ingredients when the file is signed. Decision: Marks of origin
 * @returns whether a packet of a source was lost
 */
export async function carryXmp(sources: readonly string[], output: string): Promise<boolean> {
  const own = (await readMarks(output)).xmp;
  let packet = own ?? null;
  let isLost = false;
  for (const source of new Set(sources)) {
    const { xmp } = await readMarks(source);
    if (xmp) packet ??= xmp;
    isLost ||= xmp === null || (xmp !== undefined && !packet?.equals(xmp));
  }
  const fits = !packet || own !== undefined || (await writeXmp(output, packet));
  return isLost || !fits;
}
