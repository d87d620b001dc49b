import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '@payroll/store';
import { Line, type Counter, type Standing } from '../domain/standing.js';
import { networkOf } from './network-of.js';
import { countInto } from './rate-counter.js';

const count = prepared<Counter>(
  'count-failures',
  `with demand as (
     select 'failed/' || address as subject, wanted from json_to_recordset($1) as d (address text, wanted int)
   ) ${countInto('demand')}`,
);

/** Counts failed authentications by their addresses; says where each stands in the window of its address. */
export async function countFailures<Question extends { clientAddress: string }>(
  em: EntityManager,
  failed: readonly Question[],
): Promise<Map<Question, Standing>> {
  if (failed.length === 0) return new Map();
  const wanted = new Map<string, number>();
  const networks = new Map(failed.map((question) => [question, networkOf(question.clientAddress)]));
  for (const network of networks.values()) wanted.set(network, (wanted.get(network) ?? 0) + 1);
  const demand = [...wanted].map(([address, times]) => ({ address, wanted: times }));
  const line = new Line(await count(em, JSON.stringify(demand)));
  return new Map(failed.toReversed().map((question) => [question, line.placeFailure(networks.get(question)!)]));
}
