/** An image with more pixels, all frames together, than its sender may upload. */
export class TooManyPixels extends Error {
  constructor(pixels: number) {
    super(`${pixels} pixels are too many`);
  }
}
