import type { SubgraphContext } from '@payroll/service';
import { type DocumentNode, parse } from 'graphql';

/**
 * The searched columns, each with a document that reads it: only readers who may run the document may search the
 * column.
 */
const CONTRACTS = {
  title: parse('{ contracts { nodes { title } } }'),
  workerName: parse('{ contracts { nodes { worker { name } } } }'),
  externalReference: parse('{ contracts { nodes { details { externalReference } } } }'),
};

const WORKERS = {
  name: parse('{ workers { nodes { name } } }'),
  email: parse('{ workers { nodes { email } } }'),
};

type Reader = Pick<SubgraphContext, 'may'>;

function readable<Name extends string>(documents: Readonly<Record<Name, DocumentNode>>, { may }: Reader): Name[] {
  return (Object.keys(documents) as Name[]).filter((name) => may(documents[name]));
}

export const searchedOfContracts = (reader: Reader) => readable(CONTRACTS, reader);

export const searchedOfWorkers = (reader: Reader) => readable(WORKERS, reader);
