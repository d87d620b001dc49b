import { readFile, writeFile } from 'node:fs/promises';
import { eventsTable } from '../events/events.js';
import { growthTable } from '../growth/growth.js';
import { memoryTable } from '../memory.js';
import { oneWorkspaceTable } from '../one-workspace.js';
import { pagesTable } from '../pages/pages.js';
import { replicasTable } from '../replicas/replicas.js';
import { textOf, type Figures } from './figures.js';
import { pictureOf } from './picture.js';
import { pathsTable } from './report.js';
import { markdown, type Table } from './table.js';

/** Between these a document has the figures. */
const MARKED = /(?<=<!-- figures -->\n)[^]*(?=<!-- end of figures -->)/;

/** Everything that was measured, as Markdown. */
export function tablesOf(figures: Figures): string {
  const { measuredAt, machine, rounds, isShort, paths, oneWorkspace, events, replicas, memory, pages, growth } =
    figures;
  const tables: readonly (Table | null | undefined)[] = [
    paths.length > 0 ? pathsTable(paths) : null,
    oneWorkspace && oneWorkspaceTable(oneWorkspace),
    events && eventsTable(events),
    replicas && replicasTable(replicas),
    memory && memoryTable(memory),
    pages && pagesTable(pages),
    growth && growthTable(growth),
  ];
  const run = `Measured on ${measuredAt.slice(0, 10)}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node}, medians of ${rounds}${isShort ? ', a short run' : ''}.`;
  return [`${run}\n`, ...tables.filter((table) => !!table).map(markdown)].join('\n');
}

/** The figures, their picture beside them, and their tables in the document beside them, where there is one. */
export async function writeFigures(file: string, figures: Figures): Promise<string[]> {
  const beside = (ending: string): string => file.replace(/\.json$/, ending);
  const text = textOf(figures);
  const kept = JSON.parse(text) as Figures;
  await writeFile(file, text);
  await writeFile(beside('.svg'), pictureOf(kept));
  const written = [file, beside('.svg')];
  const document = await readFile(beside('.md'), 'utf8').catch(() => null);
  if (document === null) return written;
  await writeFile(beside('.md'), withFigures(document, tablesOf(kept)));
  return [...written, beside('.md')];
}

/** The document with these figures in the place of those it had. */
export function withFigures(document: string, figures: string): string {
  return document.replace(MARKED, () => figures);
}
