import type { EntityManager } from '@mikro-orm/postgresql';
import { hashProof, type AdmissionQuestion } from '@payroll/admission';
import { isId } from '@payroll/kernel';
import { prepared } from '@payroll/store';
import type { Holder } from '../domain/admission.js';
import type { Found, Presented } from './find-holders.js';

type Row = Extract<Holder, { kind: 'token' }> & { n: number };

const find = prepared<Row>(
  'find-internal',
  `select a.n, 'token' as kind, b.id as "workspaceId", t.id as "principalId", t.team, t.owner
   from json_to_recordset($1) as a (n int, id uuid, hash text, "workspaceId" uuid)
   join internal_token t on t.id = a.id and t.secret_hash = a.hash and t.revoked_at is null and t.expires_at > now()
   join business b on b.id = a."workspaceId"`,
);

/** Staff and services, in the workspace that each of their requests names; no limit counts them. */
export async function findInternal(
  em: EntityManager,
  questions: readonly Presented[],
): Promise<Map<AdmissionQuestion, Found>> {
  if (questions.length === 0) return new Map();
  const asked = questions.map(({ credential: { id, proof }, workspaceId }, n) => {
    return { n, id, hash: hashProof(proof), workspaceId: isId(workspaceId) ? workspaceId : null };
  });
  const rows = await find(em, JSON.stringify(asked));
  return new Map(rows.map(({ n, ...holder }) => [questions[n]!, { holder, standings: [] }]));
}
