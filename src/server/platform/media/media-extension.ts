import { fileTypeFromFile } from 'file-type';

/** Of a medium of any format, accepted or not; `bin` for all else, so that nothing opens as a page or a program. */
export async function mediaExtension(file: string): Promise<string> {
  // A parser that throws has not recognized the file.
  const type = await fileTypeFromFile(file).catch(() => undefined);
  return type && /^(?:image|video|audio)\//.test(type.mime) && !type.mime.includes('svg') ? type.ext : 'bin';
}
