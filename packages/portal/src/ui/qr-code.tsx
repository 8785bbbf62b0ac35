import { encode } from 'uqr';
import './qr-code.css';

/** Black on white in every theme, as cameras expect. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { data, size } = encode(content, { border: 2, ecc: 'L' });
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={darkRuns(data)} fill="#000" />
    </svg>
  );
}

/** One rectangle for every run of dark modules in a row. */
export function darkRuns(rows: readonly (readonly boolean[])[]): string {
  const runs: string[] = [];
  for (const [y, row] of rows.entries()) {
    let start = 0;
    while (start < row.length) {
      const from = row.indexOf(true, start);
      if (from === -1) break;
      const light = row.indexOf(false, from);
      const to = light === -1 ? row.length : light;
      runs.push(`M${from} ${y}h${to - from}v1h${from - to}z`);
      start = to;
    }
  }
  return runs.join('');
}
