import type { Quota } from '@tanya/contract';
import { imageName, canAffordImage } from './image.query';

const quota = (used: number, max: number): Quota => ({ used, max, remaining: Math.max(0, max - used), resetsAt: null });

test('an image needs quota for its whole cost', () => {
  expect(canAffordImage(quota(93, 100))).toBe(true);
  expect(canAffordImage(quota(94, 100))).toBe(false);
});

test('an unlimited quota always has room', () => {
  expect(canAffordImage({ used: 5000, max: -1, remaining: -1, resetsAt: null })).toBe(true);
});

test('a downloaded image is named by the time', () => {
  expect(imageName(new Date(2026, 0, 2, 3, 4, 5))).toBe('image-20260102-030405.png');
});
