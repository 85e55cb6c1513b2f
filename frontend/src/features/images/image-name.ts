const two = (value: number) => String(value).padStart(2, '0');

export function imageName(now: Date): string {
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `image-${date}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.png`;
}
