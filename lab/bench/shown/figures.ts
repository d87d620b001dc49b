import { cpus } from 'node:os';
import type { Growth } from '../growth.js';
import type { Measured } from '../measure.js';
import type { Memory } from '../memory.js';
import type { PathName } from '../paths.js';
import type { OneWorkspace, Passage } from '../approvals.js';
import type { Pages } from '../pages.js';
import type { Replicated } from '../replicas.js';
import type { Space } from '../space.js';

/** The measurements of a run: the file of `--json`. CPU in ms per request, latencies in ms. */
export interface Figures {
  measuredAt: string;
  machine: { cores: number; cpu: string; node: string };
  /** A short run sends a part of the requests, to check that everything works. */
  isShort: boolean;
  rounds: number;
  paths: readonly PathFigures[];
  oneWorkspace?: OneWorkspace;
  events?: readonly Passage[];
  /** Null without HAProxy. */
  replicas?: readonly Replicated[] | null;
  memory?: Memory;
  pages?: Pages;
  space?: Space;
  growth?: Growth;
}

export interface PathFigures {
  path: PathName;
  title: string;
  connections: number;
  /** The first is compared with each of the others. */
  measured: readonly Measured[];
}

export function thisMachine(): Figures['machine'] {
  const [first] = cpus();
  return { cores: cpus().length, cpu: first?.model ?? '', node: process.version };
}

/** Four digits of each figure: more would be noise. */
export function textOf(figures: Figures): string {
  const rounded = (_name: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  return `${JSON.stringify(figures, rounded, 2)}\n`;
}
