import { Tag } from '@payroll/pages';
import type { VNode } from 'preact';
import { dayText, lookOf, moneyText, type Money, workStatus } from './words.js';

interface StatusProps {
  of: string;
  /** The payment of a timesheet or milestone. */
  payment?: { status: string } | null;
  words: Readonly<Record<string, string>>;
}

export function Status({ of, payment = null, words }: StatusProps): VNode {
  const word = workStatus(words, of, payment);
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
  /** The path of the workspace. */
  home: string;
}

export function WorkerLink({ of: { id, name }, home }: WorkerLinkProps): VNode {
  if (id === null) return <>No worker yet</>;
  return <a href={`${home}/workers/${id}`}>{name ?? 'A worker'}</a>;
}

/** In place of payments, while their service does not answer. */
export function UnreadPayments(): VNode {
  return (
    <p class="notice notice-bad" role="status">
      Payments cannot be read at the moment. Open this page again in a while.
    </p>
  );
}
