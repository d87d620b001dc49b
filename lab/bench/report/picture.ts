import { times } from '../../table.js';

/** A path, whose first figures are compared with the second. */
interface Compared {
  title: string;
  connections: number;
  measured: readonly { name: string; cpu: number; p50: number }[];
}

/** The figure that a column of bars compares: ours divided by the other contestant's. */
interface Column {
  title: string;
  connections: number;
  figure: 'cpu' | 'p50';
}

const COLUMNS: readonly Column[] = [
  { title: 'CPU, 32 connections', connections: 32, figure: 'cpu' },
  { title: 'CPU, 2 connections', connections: 2, figure: 'cpu' },
  { title: 'p50, 2 connections', connections: 2, figure: 'p50' },
];

const LABELS = 310;
const COLUMN = 240;
const BAR = 125;
const ROW = 28;
const TOP = 56;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .bar { fill: #0969da }
  .one { stroke: #59636e; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .bar { fill: #4493f8 }
    .one { stroke: #9198a1 }
  }`;

/** The ratios of all paths as an SVG that is readable on light and dark pages. */
export function pictureOf(paths: readonly Compared[]): string {
  const titles = [...new Set(paths.map(({ title }) => title))];
  const height = TOP + titles.length * ROW + 44;
  const width = LABELS + COLUMNS.length * COLUMN;
  const labels = titles.map((title, n) => text(0, middleOf(n), title));
  const columns = COLUMNS.map((column, n) => drawColumn(column, LABELS + n * COLUMN, paths, titles));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 ${width + 10} ${height}" role="img">
<title>What a request costs, compared with the bare handler</title>
<style>${STYLE}
</style>
${[...labels, ...columns].join('\n')}
<line class="one" x1="0" x2="24" y1="${height - 20}" y2="${height - 20}"/>${text(30, height - 16, 'as the bare handler (tools: as the call of /v1)')}
</svg>
`;
}

const middleOf = (row: number): number => TOP + row * ROW + 17;

function drawColumn(column: Column, x: number, paths: readonly Compared[], titles: readonly string[]): string {
  const measured = paths.filter(({ connections }) => connections === column.connections);
  const rows = measured.map((path) => ({ row: titles.indexOf(path.title), ratio: ratioOf(path, column) }));
  const most = Math.max(1, ...rows.map(({ ratio }) => ratio));
  const scale = (ratio: number): number => Math.round((ratio / most) * BAR);
  const bottom = TOP + titles.length * ROW;
  const one = `<line class="one" x1="${x + scale(1)}" x2="${x + scale(1)}" y1="${TOP - 6}" y2="${bottom}"/>`;
  const bars = rows.map(({ row, ratio }) => {
    const y = TOP + row * ROW + 4;
    const bar = `<rect class="bar" x="${x}" y="${y}" width="${scale(ratio)}" height="${ROW - 10}" rx="2"/>`;
    return bar + text(x + scale(ratio) + 6, middleOf(row), times(ratio));
  });
  return [text(x, TOP - 20, column.title, 'title'), ...bars, one].join('\n');
}

/** Divided by the second contestant. */
function ratioOf({ measured }: Compared, { figure }: Column): number {
  const [ours, beside] = measured as [Compared['measured'][0], Compared['measured'][0]];
  return ours[figure] / beside[figure];
}

function text(x: number, y: number, content: string, kind?: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text${kind === undefined ? '' : ` class="${kind}"`} x="${x}" y="${y}">${escaped}</text>`;
}
