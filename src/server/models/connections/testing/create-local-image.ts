import sharp from 'sharp';

/** A picture for the outputs of a fake provider. */
export const createLocalImage = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } })
    .png()
    .toBuffer();
