import { Facts, Tag } from '@payroll/pages';
import type { ComponentChildren, VNode } from 'preact';
import { dayText, lookOf, moneyText, type Money, workStatus } from './words.js';

/** Of all that can be said of a thing, what is said: nothing is shown of what is null. */
export function Known({ of }: { of: Readonly<Record<string, ComponentChildren>> }): VNode {
  const said = Object.entries(of).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return <Facts of={Object.fromEntries(said)} />;
}

export function Status({ of, words }: { of: string; words: Readonly<Record<string, string>> }): VNode {
  const word = words[of] ?? of;
  return <Tag look={lookOf(word)}>{word}</Tag>;
}

interface WorkStatusProps {
  of: { status: string; payment: { status: string } | null };
  words: Readonly<Record<string, string>>;
}

/** Of a timesheet or milestone, with what became of its payment. */
export function WorkStatus({ of: { status, payment }, words }: WorkStatusProps): VNode {
  const word = workStatus(words, status, payment);
  return <Tag look={lookOf(word)}>{word}</Tag>;
}

export function Amount({ of }: { of: Money }): VNode {
  return <span class="amount">{moneyText(of)}</span>;
}

/** A UTC day, as YYYY-MM-DD. */
export function Day({ of, none = 'Open' }: { of: string | null; none?: string }): VNode {
  return of === null ? <>{none}</> : <time dateTime={of}>{dayText(of)}</time>;
}
