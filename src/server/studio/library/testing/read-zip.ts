import { crc32 } from 'node:zlib';

export interface ZippedFile {
  name: string;
  bytes: Buffer;
}

/** Reads a ZIP by its directory. @throws if checksums, sizes or offsets do not match */
export function readZip(zip: Buffer): ZippedFile[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  const files = Array.from({ length: count }, () => {
    const [sum, stored, size, nameLength] = [16, 20, 24]
      .map((offset) => zip.readUInt32LE(at + offset))
      .concat(zip.readUInt16LE(at + 28));
    const [extra, comment, header] = [zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32), zip.readUInt32LE(at + 42)];
    if (sum === undefined || size === undefined || nameLength === undefined || stored !== size)
      throw new Error('sizes');
    if ((zip.readUInt16LE(at + 8) & 0x800) === 0) throw new Error('A name is not marked as UTF-8.');
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const bytes = zip.subarray(begin, begin + size);
    if (crc32(bytes) !== sum || zip.toString('latin1', header, header + 4) !== 'PK\x03\x04') throw new Error(name);
    at += 46 + nameLength + extra + comment;
    return { name, bytes };
  });
  if (at !== end) throw new Error('The directory does not end where it should.');
  return files;
}
