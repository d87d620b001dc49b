/** A value as it could be sent or answered. Tests hold every one of them against its shape. */
export interface Example {
  summary: string;
  value: unknown;
}

/** What the document says of an operation beside its shapes. */
export interface Explanation {
  tag: Tag;
  description: string;
  /** What a success means. */
  answer: string;
  requests?: Readonly<Record<string, Example>>;
  answers: Readonly<Record<string, Example>>;
}

export const TAGS = {
  Contracts: 'Agreements with workers: created as drafts here, completed and signed in the application.',
  Timesheets: 'Work of a period, handed in for review. Its approval creates a payment that is due later.',
  Milestones: 'Pieces of work for a fixed amount. An approval creates a payment that is processed at once.',
  Payments: 'What approvals lead to, and how far it is.',
  Workspace: 'The business itself, and its money.',
  Document: 'This document.',
} as const;
type Tag = keyof typeof TAGS;
