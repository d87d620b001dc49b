import type { Keywords } from '@payroll/public-api';

/** As much of the OpenAPI document as its pages show. */
export interface ApiDocument {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  /** By path and method. */
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, Parameter>>;
    headers: Readonly<Record<string, { description: string }>>;
    examples: Readonly<Record<string, ErrorExample>>;
  };
}

export interface DocumentedOperation {
  operationId: string;
  tags: readonly [string];
  summary: string;
  description: string;
  'x-codeSamples'?: readonly { label: string; source: string }[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { content: Content };
  /** By status. */
  responses: Readonly<Record<string, { description: string; content?: Content; headers?: object }>>;
}

type Content = Readonly<Record<'application/json', { schema: Schema; examples: Readonly<Record<string, Example>> }>>;

export interface Example {
  summary: string;
  value: unknown;
}

interface ErrorExample extends Example {
  value: { error: { type: string; code: string; message: string; status: number } };
}

interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
}

export interface Schema extends Omit<Keywords, 'properties' | 'items'> {
  $ref?: string;
  description?: string;
  default?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  oneOf?: readonly [Schema, { type: 'null' }];
}

/** An operation, and how it is called. */
export interface Endpoint extends DocumentedOperation {
  method: string;
  path: string;
}

export function endpointsOf({ paths }: ApiDocument): Endpoint[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

export function parametersOf({ components }: ApiDocument, { parameters = [] }: DocumentedOperation): Parameter[] {
  return parameters.map((each) => ('$ref' in each ? components.parameters[nameOf(each)]! : each));
}

export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);
