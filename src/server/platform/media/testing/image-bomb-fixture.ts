import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export function createPngBomb(side: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  const lines = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, pngChunk('IHDR', head), pngChunk('IDAT', deflateSync(lines)), pngChunk('IEND')]);
}

function pngChunk(type: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

export async function createAnimationBomb(side: number, frames: number): Promise<Buffer> {
  const still = await sharp({ create: { width: side, height: side, channels: 3, background: '#246' } })
    .webp({ lossless: true, effort: 0 })
    .toBuffer();
  const picture = still.subarray(12);
  const size = uint24(side - 1);
  const canvas = riffChunk('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), size, size]));
  const animation = riffChunk('ANIM', Buffer.alloc(6));
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(6), size, size, uint24(100), Buffer.alloc(1), picture]));
  const all: Buffer[] = Array.from({ length: frames }, () => frame);
  const content = Buffer.concat([Buffer.from('WEBP'), canvas, animation, ...all]);
  return riffChunk('RIFF', content);
}

function riffChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type), length, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.subarray(0, 3);
}

export const createAvifBomb = (): Buffer =>
  Buffer.from(
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA' +
      'AAAERAAAEAAQAAAAAA+gABAAAAAAAAAOAAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAA' +
      'AAA4aXBjbwAAAAxhdjFDgTACAAAAABRpc3BlAAAAAAAAD6AAAA+gAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAADobW' +
      'RhdBIACgo8Lv5/59pAQ0GkMs8BEEoTGCYeeeeaCQAAYM/MRSK+Ce9xKtA0s0/9gktaNWLaFJ5YvbGOOMCpRbXU/IUjLJl6fTIS1leYmmtZM7VN' +
      'tZ7Cr1vCwrGdN4OHC3lDDihxcv7yTFsLtESW/L5yNUznDnJ65i/UKUONw/aNHtXPzFJekZyDpMeXACvhhI/Jn2qyyhH23UZiRgt90VSxllxS4h' +
      'Mbmpwkd+jpc7XFk7CTKQCrcxzG9KQtzsniq33mppPqzsYwpP94n8Uc3jIuH1sqprXRrxdLbFQ93LK1HHqJ',
    'base64',
  );
