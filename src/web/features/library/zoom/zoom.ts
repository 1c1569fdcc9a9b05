export interface PixelDimensions {
  width_px: number;
  height_px: number;
}

/** Scale 1 fits the stage; x and y are the offset of the image's center from the stage's center. */
export interface Zoom {
  scale: number;
  x_px: number;
  y_px: number;
}

export interface ZoomFrame {
  stage: PixelDimensions;
  fitted: PixelDimensions;
  max_scale: number;
}

export interface Point {
  x_px: number;
  y_px: number;
}

export const FIT_ZOOM: Zoom = { scale: 1, x_px: 0, y_px: 0 };
const MAX_PIXEL_SCALE = 8;
const MIN_MAX_SCALE = 4;
const ZOOM_STEP = 1.5;

export function fittedSize(image: PixelDimensions, stage: PixelDimensions): PixelDimensions {
  const share = Math.min(1, stage.width_px / image.width_px, stage.height_px / image.height_px);
  return { width_px: image.width_px * share, height_px: image.height_px * share };
}

export function computeZoomFrame(image: PixelDimensions, stage: PixelDimensions): ZoomFrame {
  const fitted = fittedSize(image, stage);
  const most = Math.max(MIN_MAX_SCALE, (MAX_PIXEL_SCALE * image.width_px) / Math.max(1, fitted.width_px));
  return { stage, fitted, max_scale: most };
}

/** Returns the scale at which one image pixel covers one CSS pixel. */
export const nativeScale = (image: PixelDimensions, { fitted }: ZoomFrame): number =>
  image.width_px / Math.max(1, fitted.width_px);

export function zoomTo(zoom: Zoom, scale: number, { x_px, y_px }: Point, frame: ZoomFrame): Zoom {
  const next = Math.min(frame.max_scale, Math.max(1, scale));
  const by = next / zoom.scale;
  return clampZoom({ scale: next, x_px: x_px - (x_px - zoom.x_px) * by, y_px: y_px - (y_px - zoom.y_px) * by }, frame);
}

/** Zooms one step around the center and snaps to the fitted scale. */
export function stepZoom(zoom: Zoom, by: 1 | -1, frame: ZoomFrame): Zoom {
  const scale = by === 1 ? zoom.scale * ZOOM_STEP : zoom.scale / ZOOM_STEP;
  return zoomTo(zoom, scale < 1.05 ? 1 : scale, { x_px: 0, y_px: 0 }, frame);
}

/** Toggles between fit and actual size around a point; an image already at actual size is doubled. */
export function toggleZoom(zoom: Zoom, point: Point, image: PixelDimensions, frame: ZoomFrame): Zoom {
  if (zoom.scale > 1.01) return FIT_ZOOM;
  const native_scale = nativeScale(image, frame);
  return zoomTo(zoom, native_scale > 1.05 ? native_scale : 2, point, frame);
}

export const panZoom = (zoom: Zoom, by: Point, frame: ZoomFrame): Zoom =>
  clampZoom({ ...zoom, x_px: zoom.x_px + by.x_px, y_px: zoom.y_px + by.y_px }, frame);

/** An image larger than the stage covers it, a smaller one stays centered. */
function clampZoom({ scale, x_px, y_px }: Zoom, { stage, fitted }: ZoomFrame): Zoom {
  const within = (at_px: number, size_px: number, room_px: number) => {
    const most_px = Math.max(0, (size_px * scale - room_px) / 2);
    // `|| 0` turns −0, which a bound of zero yields, into 0.
    return Math.min(most_px, Math.max(-most_px, at_px)) || 0;
  };
  return {
    scale,
    x_px: within(x_px, fitted.width_px, stage.width_px),
    y_px: within(y_px, fitted.height_px, stage.height_px),
  };
}
