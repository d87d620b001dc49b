import type { VNode } from 'preact';
import type { MoneyRead } from './operations.js';

interface Known {
  contracts: Record<'workers' | 'active', { nodes: readonly unknown[] }>;
  money: MoneyRead;
}

/** The steps to the first payment, shown until there is one. */
export function FirstSteps({ of: { contracts, money }, path }: { of: Known; path: string }): VNode | null {
  if (money.any.nodes.length > 0) return null;
  const steps = [
    { label: 'Add a worker', to: 'workers/new', isDone: contracts.workers.nodes.length > 0 },
    {
      label: 'Draft a contract, and have both sides sign it',
      to: 'contracts/new',
      isDone: contracts.active.nodes.length > 0,
    },
    { label: 'Add money', to: 'money#fund', isDone: money.balances.available.length > 0 },
    { label: 'Approve the first work', to: 'review', isDone: false },
  ];
  return (
    <>
      <h2>First steps</h2>
      <ol class="steps">
        {steps.map(({ label, to, isDone }) => (
          <li key={to} class={isDone ? 'step-done' : undefined}>
            {isDone ? `${label}: done` : <a href={`${path}/${to}`}>{label}</a>}
          </li>
        ))}
      </ol>
    </>
  );
}
