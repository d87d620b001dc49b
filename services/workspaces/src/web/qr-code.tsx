import type { VNode } from 'preact';
import { encode } from 'uqr';

/** Light modules around it, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Dark on light in every look of the page, as cameras expect. */
export function QrCode({ text, label }: { text: string; label: string }): VNode {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="240"
      height="240"
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={modules.join('')} />
    </svg>
  );
}
