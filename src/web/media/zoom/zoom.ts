export interface PixelDimensions {
  widthPx: number;
  heightPx: number;
}

/** Scale 1 fits the stage; x and y are the offset of the image's center from the stage's center. */
export interface Zoom {
  scale: number;
  xPx: number;
  yPx: number;
}

export interface ZoomFrame {
  stage: PixelDimensions;
  fitted: PixelDimensions;
  maxScale: number;
}

export interface Point {
  xPx: number;
  yPx: number;
}

export const FIT_ZOOM: Zoom = { scale: 1, xPx: 0, yPx: 0 };
const MAX_PIXEL_SCALE = 8;
const MIN_MAX_SCALE = 4;
const ZOOM_STEP = 1.5;

export function fittedSize(image: PixelDimensions, stage: PixelDimensions): PixelDimensions {
  const share = Math.min(1, stage.widthPx / image.widthPx, stage.heightPx / image.heightPx);
  return { widthPx: image.widthPx * share, heightPx: image.heightPx * share };
}

export function computeZoomFrame(image: PixelDimensions, stage: PixelDimensions): ZoomFrame {
  const fitted = fittedSize(image, stage);
  const most = Math.max(MIN_MAX_SCALE, (MAX_PIXEL_SCALE * image.widthPx) / Math.max(1, fitted.widthPx));
  return { stage, fitted, maxScale: most };
}

/** Returns the scale at which one image pixel covers one CSS pixel. */
export const nativeScale = (image: PixelDimensions, { fitted }: ZoomFrame): number =>
  image.widthPx / Math.max(1, fitted.widthPx);

export function zoomTo(zoom: Zoom, scale: number, { xPx, yPx }: Point, frame: ZoomFrame): Zoom {
  const next = Math.min(frame.maxScale, Math.max(1, scale));
  const by = next / zoom.scale;
  return clampZoom({ scale: next, xPx: xPx - (xPx - zoom.xPx) * by, yPx: yPx - (yPx - zoom.yPx) * by }, frame);
}

/** Zooms one step around the center and snaps to the fitted scale. */
export function stepZoom(zoom: Zoom, by: 1 | -1, frame: ZoomFrame): Zoom {
  const scale = by === 1 ? zoom.scale * ZOOM_STEP : zoom.scale / ZOOM_STEP;
  return zoomTo(zoom, scale < 1.05 ? 1 : scale, { xPx: 0, yPx: 0 }, frame);
}

/** Toggles between fit and actual size around a point; an image already at actual size is doubled. */
export function toggleZoom(zoom: Zoom, point: Point, image: PixelDimensions, frame: ZoomFrame): Zoom {
  if (zoom.scale > 1.01) return FIT_ZOOM;
  const scale = nativeScale(image, frame);
  return zoomTo(zoom, scale > 1.05 ? scale : 2, point, frame);
}

/** The place in an image, in its pixels, at a place on the stage. */
export function imagePoint({ xPx, yPx }: Point, zoom: Zoom, { fitted }: ZoomFrame, image: PixelDimensions): Point {
  return {
    xPx: ((xPx - zoom.xPx) / (fitted.widthPx * zoom.scale) + 0.5) * image.widthPx,
    yPx: ((yPx - zoom.yPx) / (fitted.heightPx * zoom.scale) + 0.5) * image.heightPx,
  };
}

export const panZoom = (zoom: Zoom, by: Point, frame: ZoomFrame): Zoom =>
  clampZoom({ ...zoom, xPx: zoom.xPx + by.xPx, yPx: zoom.yPx + by.yPx }, frame);

/** An image larger than the stage covers it, a smaller one stays centered. */
function clampZoom({ scale, xPx, yPx }: Zoom, { stage, fitted }: ZoomFrame): Zoom {
  const within = (atPx: number, sizePx: number, roomPx: number) => {
    const mostPx = Math.max(0, (sizePx * scale - roomPx) / 2);
    // `|| 0` turns −0, which a bound of zero yields, into 0.
    return Math.min(mostPx, Math.max(-mostPx, atPx)) || 0;
  };
  return {
    scale,
    xPx: within(xPx, fitted.widthPx, stage.widthPx),
    yPx: within(yPx, fitted.heightPx, stage.heightPx),
  };
}
