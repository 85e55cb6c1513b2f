import { encode } from 'uqr';

/** Modules around the code, as the standard requires. */
const QUIET_ZONE = 4;

/**
 * A QR code as SVG, dark on light in both themes because some cameras refuse the inverse. uqr: 6 KB, no dependencies,
 * returns the matrix, so that no markup is injected.
 */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width="100%" shapeRendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
