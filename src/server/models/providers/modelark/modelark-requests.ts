/** Fields of ModelArk’s requests that the presets use. Others, and those of other models, are rejected with 400. */

/** `POST /images/generations`: docs.byteplus.com/en/docs/ModelArk/1541523 (read 2026-11-23). */
export interface ModelArkImageRequest {
  model: string;
  prompt: string;
  /** Data URLs, at most 10. */
  image?: string[];
  size: string;
  output_format: 'png' | 'jpeg';
  response_format: 'b64_json';
  watermark: boolean;
}

export type ModelArkContent =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string }; role: 'first_frame' | 'last_frame' | 'reference_image' }
  | { type: 'video_url'; video_url: { url: string }; role: 'reference_video' }
  | { type: 'audio_url'; audio_url: { url: string }; role: 'reference_audio' };

/** `POST /contents/generations/tasks`: docs.byteplus.com/en/docs/ModelArk/1520757 (read 2026-11-23). */
export interface ModelArkVideoRequest {
  model: string;
  content: ModelArkContent[];
  resolution: '480p' | '720p' | '1080p' | '4k';
  ratio: string;
  duration: number;
  generate_audio: boolean;
  watermark: boolean;
  /** Seedance 2.5 only, where `auto` may take a verb of the prompt for an edit. */
  omni_reference_task_type?: 'reference' | 'edit';
  /** Seconds from 3600 to 259200, after which a waiting or running task expires. */
  execution_expires_after: number;
}
