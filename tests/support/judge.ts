import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ContractDocument, Operation, ResponseObject } from './document.js';

export interface AnswerToJudge {
  status: number;
  headers: Headers;
  text: string;
}

/** Headers of HTTP itself, of security, and of proxies: no client needs them to use the API. */
const GENERAL_HEADERS =
  /^(connection|content-length|content-type|date|keep-alive|transfer-encoding|vary|cache-control|content-security-policy|strict-transport-security|x-content-type-options|access-control-.*|sl-violations)$/;

/** Validates requests and answers against the document with ajv, and with none of our own checks. */
export class Judge {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: ContractDocument) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(document.json, 'document');
  }

  /** The parts of an answer that the document does not declare; empty if there are none. */
  faultsOf(operation: Operation, { status, headers, text }: AnswerToJudge): string[] {
    const declared = operation.responses[status];
    if (!declared) return [`status ${status} is not declared`];
    const response = this.document.resolve(declared);
    return [...this.headerFaults(response, headers), ...this.bodyFaults(operation, status, response, headers, text)];
  }

  /** Whether the document allows this body. */
  accepts({ pointer }: Operation, body: unknown): boolean {
    return this.validator(`${pointer}/requestBody/content/application~1json/schema`)(body);
  }

  private headerFaults({ headers: declared = {} }: ResponseObject, headers: Headers): string[] {
    const byName = new Map(Object.entries(declared).map(([name, header]) => [name.toLowerCase(), header]));
    return [...headers].flatMap(([name, value]) => {
      const header = byName.get(name);
      if (!header) return GENERAL_HEADERS.test(name) ? [] : [`header ${name} is not declared`];
      const { schema = {} } = this.document.resolve(header);
      const isValid = this.ajv.validate(schema, schema.type === 'integer' ? Number(value) : value);
      return isValid ? [] : [`header ${name}: ${value} ${this.ajv.errorsText()}`];
    });
  }

  private bodyFaults(
    { pointer, responses }: Operation,
    status: number,
    { content }: ResponseObject,
    headers: Headers,
    text: string,
  ): string[] {
    if (!content) return text === '' ? [] : [`${status} has a body, and the document declares none`];
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    if (!(type in content)) return [`content type ${type || 'none'} is not declared`];
    const place = responses[status]?.$ref ?? `${pointer}/responses/${status}`;
    const validate = this.validator(`${place}/content/${type.replaceAll('/', '~1')}/schema`);
    return validate(parsed(text)) ? [] : [`body ${this.ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`];
  }

  private validator(place: string): ValidateFunction {
    const known = this.validators.get(place) ?? this.ajv.compile({ $ref: `document${place}` });
    this.validators.set(place, known);
    return known;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
