import type { VNode } from 'preact';
import { nameOf, parametersOf, type ApiDocument, type Endpoint, type Schema } from './document.js';
import { Fields, Parameters } from './fields.js';
import { Code, Examples, Method, pathOf, Prose, Text } from './layout.js';

interface PartProps {
  document: ApiDocument;
  endpoint: Endpoint;
}

/** All that there is to know of one operation. */
export function OperationPage({ document, endpoint }: PartProps): VNode {
  return (
    <>
      <h1>{endpoint.summary}</h1>
      <p class="address">
        <Method of={endpoint.method} /> <code>/v1{endpoint.path}</code>
      </p>
      <Prose of={endpoint.description} />
      <Request document={document} endpoint={endpoint} />
      <Answer document={document} endpoint={endpoint} />
      <Errors endpoint={endpoint} />
    </>
  );
}

function Request({ document, endpoint }: PartProps): VNode {
  const parameters = parametersOf(document, endpoint);
  const body = endpoint.requestBody?.content['application/json'];
  return (
    <>
      <h2 id="request">Request</h2>
      {endpoint['x-codeSamples']?.map(({ label, source }) => (
        <figure key={label}>
          <figcaption>{label}</figcaption>
          <Code name={`The request with ${label}`}>{source}</Code>
        </figure>
      ))}
      {parameters.length > 0 && (
        <>
          <h3 id="parameters">Parameters</h3>
          <Parameters document={document} of={parameters} />
        </>
      )}
      {body && (
        <>
          <h3 id="body">Body</h3>
          <Fields document={document} schema={resolved(document, body.schema)} isSent />
          <Examples of={body.examples} />
        </>
      )}
    </>
  );
}

function Answer({ document, endpoint }: PartProps): VNode {
  return (
    <>
      <h2 id="answer">Answer</h2>
      {successesOf(endpoint).map(([status, { description, content, headers = {} }]) => (
        <section key={status}>
          <p>
            <strong>{status}</strong> <Text of={description} />
          </p>
          {content && (
            <>
              <Fields document={document} schema={resolved(document, content['application/json'].schema)} />
              <Examples of={content['application/json'].examples} />
            </>
          )}
          <p class="soft">
            Headers:{' '}
            {Object.keys(headers).map((name, n) => (
              <>
                {n > 0 && ', '}
                <a href={pathOf('headers', name)}>
                  <code>{name}</code>
                </a>
              </>
            ))}
          </p>
        </section>
      ))}
    </>
  );
}

function Errors({ endpoint }: { endpoint: Endpoint }): VNode {
  return (
    <>
      <h2 id="errors">Errors</h2>
      <dl class="errors">
        {Object.entries(endpoint.responses)
          .filter(([status, { description }]) => Number(status) >= 400 && codesIn(description).length > 0)
          .map(([status, { description }]) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                {codesIn(description).map((code, n) => (
                  <>
                    {n > 0 && ', '}
                    <a href={pathOf('errors', code)}>
                      <code>{code}</code>
                    </a>
                  </>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </>
  );
}

export const codesIn = (description: string): string[] =>
  [...description.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code]) => code!);

const successesOf = ({ responses }: Endpoint) => Object.entries(responses).filter(([status]) => Number(status) < 400);

function resolved({ components }: ApiDocument, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : components.schemas[nameOf({ $ref: schema.$ref })]!;
}
