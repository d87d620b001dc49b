/** The OpenAPI document of `/v1` as a client reads it: only what was fetched, none of our sources. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

interface Referable {
  $ref?: string;
}

export interface ResponseObject extends Referable {
  headers?: Record<string, Referable & { schema?: Schema }>;
  content?: Record<string, { schema: Schema }>;
}

interface OperationObject {
  operationId: string;
  parameters?: (Parameter | Referable)[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, ResponseObject>;
  security?: object[];
}

export interface DocumentJson {
  paths: Record<string, Record<string, OperationObject>>;
}

export type Method = 'GET' | 'POST';

export interface Operation {
  id: string;
  method: Method;
  path: string;
  /** Its position in the document, as a JSON pointer. */
  pointer: string;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  responses: Readonly<Record<string, ResponseObject>>;
  isPublic: boolean;
}

export class ContractDocument {
  readonly operations: readonly Operation[];

  constructor(readonly json: DocumentJson) {
    this.operations = Object.entries(json.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => this.read(path, method, operation)),
    );
  }

  operation(method: string, path: string): Operation {
    const found = this.operations.find((each) => each.method === method && each.path === path);
    if (!found) throw new RangeError(`the document has no ${method} ${path}`);
    return found;
  }

  /** Follows references to the object itself. Properties beside a reference override those of the object. */
  resolve<Thing extends object>(thing: Thing | Referable): Thing {
    if (!('$ref' in thing) || thing.$ref === undefined) return thing as Thing;
    const { $ref, ...beside } = thing;
    return { ...this.resolve<Thing>(this.at($ref) as Thing), ...beside };
  }

  private at(pointer: string): unknown {
    const steps = pointer.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>(
      (at, step) => (at as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.json,
    );
  }

  private read(path: string, method: string, operation: OperationObject): Operation {
    const body = operation.requestBody?.content['application/json']?.schema;
    return {
      id: operation.operationId,
      method: method.toUpperCase() as Method,
      path,
      pointer: `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
      parameters: (operation.parameters ?? []).map((referred) => {
        const parameter = this.resolve<Parameter>(referred);
        return { ...parameter, schema: this.resolve<Schema>(parameter.schema) };
      }),
      body: body && this.resolve<Schema>(body),
      responses: operation.responses,
      isPublic: operation.security?.length === 0,
    };
  }
}

export async function fetchDocument(baseUrl: string): Promise<ContractDocument> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  if (response.status !== 200) throw new Error(`${baseUrl}/openapi.json answers ${response.status}`);
  return new ContractDocument((await response.json()) as DocumentJson);
}
