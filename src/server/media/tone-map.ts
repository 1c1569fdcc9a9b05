import type { MediaTools } from './media-tools.ts';

const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

export const toneMapFilters = (tools: MediaTools, { is_hdr }: { is_hdr?: boolean }): string[] =>
  is_hdr && tools.streams?.has_zscale ? [TONE_MAP] : [];
