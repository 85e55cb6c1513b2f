/** Formats of uploaded images, by media type; also the names that sharp gives them. */
export const IMAGE_FORMATS = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;

export type ImageFormat = (typeof IMAGE_FORMATS)[keyof typeof IMAGE_FORMATS];

/**
 * Re-encodes the file at `source` to a new file at `target`. Null only loads the image library.
 * `maxPixels`: decoded pixels, all frames together; a few bytes can declare gigabytes.
 */
export type ImageTask = { source: string; target: string; format: ImageFormat; maxPixels: number } | null;

/**
 * `invalid`: the image cannot be decoded or exceeds a bound. `too-many-pixels`: it exceeds `maxPixels`. `unavailable`: the
 * image library cannot be loaded.
 */
export type ImageResult = { size: number } | { problem: ImageProblem; reason: string };

export type ImageProblem = 'invalid' | 'too-many-pixels' | 'unavailable';
