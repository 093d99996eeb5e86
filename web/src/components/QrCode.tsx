import { encode } from 'uqr';

interface QrCodeProps {
  readonly text: string;
  /** What it is for, to who cannot see it. */
  readonly label: string;
  /** The length of a side, in pixels. */
  readonly size: number;
}

/**
 * A QR code, drawn here: what it says may be a secret and goes to no other place. Dark on light in every colour scheme,
 * because many cameras read nothing else. Load it lazily.
 */
export function QrCode({ text, label, size }: QrCodeProps) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
