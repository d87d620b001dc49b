import { Tag } from '@payroll/pages';
import type { VNode } from 'preact';
import { dayText, lookOf, moneyText, type Money, workStatus } from './words.js';

export function Status({ of, words }: { of: string; words: Readonly<Record<string, string>> }): VNode {
  const word = words[of] ?? of;
  return <Tag look={lookOf(word)}>{word}</Tag>;
}

interface WorkStatusProps {
  of: { status: string; payment: { status: string } | null };
  words: Readonly<Record<string, string>>;
}

/** The status of a timesheet or milestone, including that of its payment. */
export function WorkStatus({ of: { status, payment }, words }: WorkStatusProps): VNode {
  const word = workStatus(words, status, payment);
  return <Tag look={lookOf(word)}>{word}</Tag>;
}

export function Amount({ of }: { of: Money }): VNode {
  return <span class="amount">{moneyText(of)}</span>;
}

/** A UTC day, as YYYY-MM-DD. */
export function Day({ of, none = 'Not set' }: { of: string | null; none?: string }): VNode {
  return of === null ? <>{none}</> : <time dateTime={of}>{dayText(of)}</time>;
}

interface WorkerLinkProps {
  of: { id: string | null; name: string | null };
  /** The path of a section beside that of the workers. */
  beside: string;
}

export function WorkerLink({ of: { id, name }, beside }: WorkerLinkProps): VNode {
  if (id === null) return <>No worker yet</>;
  return <a href={`${beside.replace(/[^/]*$/, 'workers')}/${id}`}>{name ?? 'A worker'}</a>;
}

/** In place of payments, while their service does not answer. */
export function UnreadPayments(): VNode {
  return (
    <p class="notice notice-bad" role="status">
      Payments cannot be read at the moment. Open this page again in a while.
    </p>
  );
}
