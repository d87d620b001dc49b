/** The part of Stryker's report that we read. */
export interface Report {
  files: Readonly<Record<string, { mutants: readonly Mutant[] }>>;
}

interface Mutant {
  status: string;
  location: { start: { line: number } };
  mutatorName: string;
  replacement?: string;
}

export function scoreOf(report: Report): { mutants: number; noticed: number; survived: number; score: number | null };

export function survivorsOf(report: Report): string[];
