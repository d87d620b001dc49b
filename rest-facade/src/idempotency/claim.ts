/** A claim that this request holds. Every update of its row is fenced by operation, attempt and `running`. */
export interface HeldClaim {
  principalId: string;
  key: string;
  operationId: string;
  /** Above 1: an earlier request began this operation, and nobody knows how far it came. */
  attempt: number;
}

/** What a completed operation answered, to the byte. */
export interface StoredAnswer {
  status: number;
  body: string;
}

export interface ClaimRequest {
  principalId: string;
  key: string;
  fingerprint: string;
  requestId: string;
}

export type Begun =
  | { kind: 'held'; claim: HeldClaim }
  | { kind: 'done'; answer: StoredAnswer }
  | { kind: 'in_progress' }
  | { kind: 'reused' }
  | { kind: 'expired' };
