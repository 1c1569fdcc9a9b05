import type { Rect, Size } from './picture-edit.ts';

/** Pixels that a canvas has more than its picture. */
export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const EDGES = ['left', 'top', 'right', 'bottom'] as const satisfies readonly (keyof Edges)[];
export const NO_EDGES: Edges = { left: 0, top: 0, right: 0, bottom: 0 };

/** The most on each side, as on the stage. */
export const mostEdge = ({ width, height }: Size): number => Math.max(width, height);

export const clampEdges = (edges: Edges, picture: Size): Edges => {
  const clamp = (pixels: number) => Math.min(mostEdge(picture), Math.max(0, Math.round(pixels)));
  return { left: clamp(edges.left), top: clamp(edges.top), right: clamp(edges.right), bottom: clamp(edges.bottom) };
};

/** The canvas on a stage that has the most edge around the picture. */
export function toCanvas(edges: Edges, picture: Size): Rect {
  const most = mostEdge(picture);
  return {
    x: most - edges.left,
    y: most - edges.top,
    width: picture.width + edges.left + edges.right,
    height: picture.height + edges.top + edges.bottom,
  };
}

/** The reverse of `toCanvas`; the canvas always holds the picture. */
export function toEdges({ x, y, width, height }: Rect, picture: Size): Edges {
  const most = mostEdge(picture);
  const right = x + width - most - picture.width;
  return clampEdges({ left: most - x, top: most - y, right, bottom: y + height - most - picture.height }, picture);
}

/** The smallest canvas of a ratio, with the picture in its middle. */
export function fitEdges(ratio: number, picture: Size): Edges {
  const width = Math.max(picture.width, picture.height * ratio);
  const height = Math.max(picture.height, picture.width / ratio);
  const [beside, above] = [(width - picture.width) / 2, (height - picture.height) / 2];
  return clampEdges({ left: beside, right: beside, top: above, bottom: above }, picture);
}
