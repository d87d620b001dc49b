import { readFile, writeFile } from 'node:fs/promises';

export interface Table {
  title: string;
  /** The first one heads the names, the others the figures. */
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

/** For a terminal: each column as wide as its widest cell. */
export function plain({ title, heads, rows }: Table): string {
  const lines = [heads, ...rows];
  const widths = heads.map((_, n) => Math.max(...lines.map((line) => line[n]!.length)));
  const aligned = (cells: readonly string[]) =>
    cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join('   ');
  return `${title}\n${lines.map((line) => `  ${aligned(line)}\n`).join('')}`;
}

export function markdown({ title, heads, rows }: Table): string {
  const lines = [heads, heads.map((_, n) => (n === 0 ? '---' : '--:')), ...rows];
  return `${title}:\n\n${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`;
}

/** A ratio; a dash if the divisor is too small. */
export const times = (ratio: number): string => (Number.isFinite(ratio) ? `×${ratio.toFixed(1)}` : '–');

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Replaces the section with this mark in a document. @returns whether the document exists */
export async function writeInto(file: string, mark: string, section: string): Promise<boolean> {
  const document = await readFile(file, 'utf8').catch(() => null);
  const marked = new RegExp(`(?<=<!-- ${mark} -->\\n)[^]*(?=<!-- end of ${mark} -->)`);
  if (document !== null)
    await writeFile(
      file,
      document.replace(marked, () => section),
    );
  return document !== null;
}
