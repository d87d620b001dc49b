import type { Entry, Intent, Invoked, Outcome, Switched } from '../history.js';

export interface Try {
  from: number;
  at: number;
  outcome: Outcome;
}

/** The intent under one key, and the outcome of each try. */
export interface Account extends Intent {
  tries: Try[];
}

/** An interval whose acknowledgements may be lost. */
export interface Lost {
  from: number;
  to: number;
}

export function accountsOf(entries: readonly Entry[]): Account[] {
  const invoked = new Map<number, Invoked>();
  const accounts = new Map<string, Account>();
  for (const entry of entries) {
    if (entry.type === 'invoke') invoked.set(entry.try, entry);
    if (entry.type !== 'ok' && entry.type !== 'refused' && entry.type !== 'unknown') continue;
    const began = invoked.get(entry.try)!;
    invoked.delete(entry.try);
    note(accounts, began, entry);
  }
  // Tries without an answer: their outcome is unknown.
  for (const began of invoked.values()) {
    note(accounts, began, { type: 'unknown', try: began.try, at: Infinity, why: 'the run ended' });
  }
  return [...accounts.values()];
}

function note(accounts: Map<string, Account>, began: Invoked, outcome: Outcome): void {
  const { does, door, workspace, about, key, by, role } = began;
  const account = accounts.get(key) ?? { does, door, workspace, about, key, by, role, tries: [] };
  account.tries.push({ from: began.at, at: outcome.at, outcome });
  accounts.set(key, account);
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
export function standing({ tries }: Account, lost: readonly Lost[]): string | undefined {
  for (const each of tries) if (each.outcome.type === 'ok' && !mayBeLost(each, lost)) return each.outcome.body;
  return undefined;
}

export const isAcknowledged = ({ tries }: Account): boolean => tries.some(({ outcome }) => outcome.type === 'ok');

/** It was applied, or its outcome is unknown. */
export const mayHaveHappened = ({ tries }: Account): boolean => tries.some(({ outcome }) => outcome.type !== 'refused');

/** Each rule is a sentence, with a function that finds violations. */
export type Rules<Evidence> = Readonly<Record<string, (evidence: Evidence) => string[]>>;

export interface Finding {
  rule: string;
  what: string[];
}

export function contradictions<Evidence>(rules: Rules<Evidence>, evidence: Evidence): Finding[] {
  return Object.entries(rules)
    .map(([rule, find]) => ({ rule, what: find(evidence) }))
    .filter(({ what }) => what.length > 0);
}
