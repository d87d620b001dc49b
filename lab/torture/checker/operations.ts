import type { Entry, Intent, Invoked, Outcome, Switched } from '../history.js';

export interface Try {
  from: number;
  at: number;
  outcome: Outcome;
}

/** The intent under one key, and the outcome of each try. */
export interface Operation extends Intent {
  tries: Try[];
}

/** An interval whose acknowledgements may be lost. */
export interface Lost {
  from: number;
  to: number;
}

export function operationsOf(entries: readonly Entry[]): Operation[] {
  const invoked = new Map<number, Invoked>();
  const operations = new Map<string, Operation>();
  for (const entry of entries) {
    if (entry.type === 'invoke') invoked.set(entry.try, entry);
    if (entry.type !== 'ok' && entry.type !== 'refused' && entry.type !== 'unknown') continue;
    const invocation = invoked.get(entry.try)!;
    invoked.delete(entry.try);
    note(operations, invocation, entry);
  }
  // Tries without an answer: their outcome is unknown.
  for (const invocation of invoked.values()) {
    note(operations, invocation, { type: 'unknown', try: invocation.try, at: Infinity, why: 'the run ended' });
  }
  return [...operations.values()];
}

function note(operations: Map<string, Operation>, invocation: Invoked, outcome: Outcome): void {
  const { does, via, workspace, about, key, by, role } = invocation;
  const operation = operations.get(key) ?? { does, via, workspace, about, key, by, role, tries: [] };
  operation.tries.push({ from: invocation.at, at: outcome.at, outcome });
  operations.set(key, operation);
}

export function lostIn(entries: readonly Entry[]): Lost[] {
  return entries
    .filter((entry): entry is Switched => entry.type === 'switch')
    .map(({ copiedAt, at }) => ({ from: copiedAt, to: at }));
}

export function mayBeLost({ from, at }: Pick<Try, 'from' | 'at'>, lost: readonly Lost[]): boolean {
  return lost.some((window) => at > window.from && from < window.to);
}

/** The answer that must remain valid: it was given outside of every interval that a switch may have lost. */
export function finalAnswer({ tries }: Operation, lost: readonly Lost[]): string | undefined {
  for (const each of tries) if (each.outcome.type === 'ok' && !mayBeLost(each, lost)) return each.outcome.body;
  return undefined;
}

export const isAcknowledged = ({ tries }: Operation): boolean => tries.some(({ outcome }) => outcome.type === 'ok');

/** It was applied, or its outcome is unknown. */
export const mayHaveHappened = ({ tries }: Operation): boolean =>
  tries.some(({ outcome }) => outcome.type !== 'refused');

/** Each rule is a sentence, with a function that finds violations. */
export type Rules<Evidence> = Readonly<Record<string, (evidence: Evidence) => string[]>>;

export interface Finding {
  rule: string;
  what: string[];
}

export function violations<Evidence>(rules: Rules<Evidence>, evidence: Evidence): Finding[] {
  return Object.entries(rules)
    .map(([rule, find]) => ({ rule, what: find(evidence) }))
    .filter(({ what }) => what.length > 0);
}
