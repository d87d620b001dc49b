import { readFile, writeFile } from 'node:fs/promises';
import { eventsTable, oneWorkspaceTable } from '../approvals.js';
import { growthTable } from '../growth.js';
import { memoryTable } from '../memory.js';
import { pagesTable } from '../pages.js';
import { replicasTable } from '../replicas.js';
import { spaceTable } from '../space.js';
import { type Figures, textOf } from './figures.js';
import { pictureOf } from './picture.js';
import { pathsTable } from './report.js';
import { type Table, markdown } from '../../table.js';

/** All measurements as Markdown. */
export function tablesOf(figures: Figures): string {
  const { measuredAt, machine, rounds, isShort, paths, oneWorkspace, events, replicas, memory, pages, space, growth } =
    figures;
  const tables: readonly (Table | null | undefined)[] = [
    paths.length > 0 ? pathsTable(paths) : null,
    oneWorkspace && oneWorkspaceTable(oneWorkspace),
    events && eventsTable(events),
    replicas && replicasTable(replicas),
    memory && memoryTable(memory),
    pages && pagesTable(pages),
    space && spaceTable(space),
    growth && growthTable(growth),
  ];
  const run = `Measured on ${measuredAt.slice(0, 10)}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node}, medians of ${rounds}${isShort ? ', a short run' : ''}.`;
  return [`${run}\n`, ...tables.filter((table) => !!table).map(markdown)].join('\n');
}

/** Writes the figures, their picture beside them, and their tables into the document beside them if there is one. */
export async function writeFigures(file: string, figures: Figures): Promise<string[]> {
  const beside = (ending: string): string => file.replace(/\.json$/, ending);
  const text = textOf(figures);
  const kept = JSON.parse(text) as Figures;
  await writeFile(file, text);
  await writeFile(beside('.svg'), pictureOf(kept));
  const written = [file, beside('.svg')];
  return (await writeInto(beside('.md'), 'figures', tablesOf(kept))) ? [...written, beside('.md')] : written;
}

/** Replaces the section with this mark in a document. @returns whether the document exists */
export async function writeInto(file: string, mark: string, figures: string): Promise<boolean> {
  const document = await readFile(file, 'utf8').catch(() => null);
  if (document !== null) await writeFile(file, withFigures(document, figures, mark));
  return document !== null;
}

/** The document with its figures replaced. */
export function withFigures(document: string, figures: string, mark = 'figures'): string {
  return document.replace(new RegExp(`(?<=<!-- ${mark} -->\\n)[^]*(?=<!-- end of ${mark} -->)`), () => figures);
}
