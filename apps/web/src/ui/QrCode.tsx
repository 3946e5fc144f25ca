import { useMemo } from 'react';
import { encode } from 'uqr';

interface QrCodeProps {
  value: string;
  /** Pixels, with the quiet zone around the code. */
  size: number;
  /** How much of the code may be damaged: M 15 %, H 30 % (ISO/IEC 18004). */
  level?: 'M' | 'H';
  /** The least version, which decides the number of modules; a long value takes a higher one, up to 40. */
  minVersion?: number;
  /** What scanning it does, for screen readers. */
  label: string;
  testId?: string;
}

/** Modules of white around the code. */
const QUIET = 2;
const MAX_VERSION = 40;

/** A QR code, drawn as one path. */
export function QrCode({ value, size, level = 'M', minVersion = 1, label, testId }: QrCodeProps) {
  const code = useMemo(
    () => encode(value, { ecc: level, minVersion, maxVersion: MAX_VERSION, border: QUIET }),
    [value, level, minVersion],
  );
  const path = code.data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      data-testid={testId}
      data-content={value}
      data-level={level}
      data-version={code.version}
    >
      <rect width={code.size} height={code.size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
