import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Figures, tablesOf } from './report.js';
import { pictureOf } from './picture.js';

const text = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('lab/bench/performance.md', () => {
  const figures = JSON.parse(text('performance.json')) as Figures;

  it('has the tables of the figures beside it', () => {
    expect(text('performance.md')).toContain(tablesOf(figures));
  });

  it("shows the figures' picture", () => {
    expect(text('performance.svg')).toBe(pictureOf(figures.paths));
  });
});

const measured = (name: string, cpu: number, p50: number) => {
  return { name, cpu, p50, p99: p50, postgres: cpu, nats: cpu, cpuByProcess: {}, perSecond: 100, unavailable: 0 };
};
const path = (connections: number) => ({
  path: 'get' as const,
  title: 'GET /v1/<things>',
  connections,
  measured: [measured('ours', 0.6, 6), measured('bare', 0.2, 3)],
});

describe('the picture', () => {
  const picture = pictureOf([path(32), path(2)]);

  it('has a bar with its ratio for CPU at both numbers of connections, and for p50 at 2', () => {
    expect(picture.match(/<rect /g)).toHaveLength(3);
    expect(picture.match(/×[^<]+/g)).toEqual(['×3.0', '×3.0', '×2.0']);
  });

  it('is readable on light and dark pages, because all colours are in its style', () => {
    expect(picture).toContain('@media (prefers-color-scheme: dark)');
    expect(picture.replace(/<style>[^]*<\/style>/, '')).not.toMatch(/#[0-9a-f]{6}|fill=|stroke=/);
  });

  it('is well-formed', () => {
    expect(picture).toContain('GET /v1/&lt;things>');
    const open = [...picture.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)].reduce<string[]>((within, [, ends, name, alone]) => {
      if (ends) expect(within.at(-1)).toBe(name);
      return ends ? within.slice(0, -1) : alone ? within : [...within, name!];
    }, []);
    expect(open).toEqual([]);
  });
});
