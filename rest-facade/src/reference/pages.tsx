import type { VNode } from 'preact';
import { nameOf, parametersOf, type ApiDocument, type Endpoint, type Schema, endpointsOf } from './document.js';
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
            Headers: <Listed of={Object.keys(headers).map((name) => linkTo('headers', name))} />
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
                <Listed of={codesIn(description).map((code) => linkTo('errors', code))} />
              </dd>
            </div>
          ))}
      </dl>
    </>
  );
}

const linkTo = (page: string, name: string): VNode => (
  <a href={pathOf(page, name)}>
    <code>{name}</code>
  </a>
);

const Listed = ({ of }: { of: readonly VNode[] }): VNode => (
  <>{of.flatMap((each, n) => (n > 0 ? [', ', each] : [each]))}</>
);

const codesIn = (description: string): string[] =>
  [...description.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code]) => code!);

const successesOf = ({ responses }: Endpoint) => Object.entries(responses).filter(([status]) => Number(status) < 400);

function resolved({ components }: ApiDocument, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : components.schemas[nameOf({ $ref: schema.$ref })]!;
}

/** Every object that is sent or answered, once. Lists have the form that the introduction tells. */
export function ObjectsPage({ document }: { document: ApiDocument }): VNode {
  const objects = Object.entries(document.components.schemas).filter(
    ([name, { properties }]) => properties && !name.endsWith('List'),
  );
  return (
    <>
      <h1>Objects</h1>
      {objects.map(([name, schema]) => (
        <section key={name}>
          <h2 id={name}>{name}</h2>
          {schema.description && (
            <p>
              <Text of={schema.description} />
            </p>
          )}
          <Fields document={document} schema={schema} isSent={(schema.required ?? []).length < count(schema)} />
        </section>
      ))}
    </>
  );
}

const count = ({ properties = {} }: { properties?: object }): number => Object.keys(properties).length;

/** Every code, once: what to do, how it looks, and what may answer it. */
export function ErrorsPage({ document }: { document: ApiDocument }): VNode {
  return (
    <>
      <h1>Errors</h1>
      <p>
        Every failure has the one body. <code>code</code> is for programs, <code>message</code> for people: its words
        may change. Keep <code>requestId</code> for support. <a href={pathOf('', 'when-to-retry')}>When to retry</a>{' '}
        says what may be sent again.
      </p>
      {Object.entries(document.components.examples).map(([code, { summary, value }]) => (
        <section key={code}>
          <h2 id={code}>
            <code>{code}</code>
          </h2>
          <p>
            <strong>{value.error.status}</strong>, <code>{value.error.type}</code>. <Text of={`${summary}.`} />
          </p>
          <Code name={`${code} as it is answered`}>{JSON.stringify(value, null, 2)}</Code>
          <Answerers document={document} code={code} />
        </section>
      ))}
    </>
  );
}

function Answerers({ document, code }: { document: ApiDocument; code: string }): VNode {
  const endpoints = endpointsOf(document);
  const own = endpoints.filter(({ responses }) =>
    Object.values(responses).some(({ description }) => codesIn(description).includes(code)),
  );
  // All but the document itself, which needs no credential and reads nothing.
  if (own.length >= endpoints.length - 1) return <p class="soft">Any operation may answer it.</p>;
  return (
    <p class="soft">
      From:{' '}
      <Listed
        of={own.map(({ operationId, summary }) => (
          <a href={pathOf(`operations/${operationId}`)}>{summary}</a>
        ))}
      />
    </p>
  );
}

/** Headers that answers have beside their body. */
export function HeadersPage({ document }: { document: ApiDocument }): VNode {
  return (
    <>
      <h1>Headers of answers</h1>
      {Object.entries(document.components.headers).map(([name, { description }]) => (
        <section key={name}>
          <h2 id={name}>
            <code>{name}</code>
          </h2>
          <p>
            <Text of={description} />
          </p>
        </section>
      ))}
    </>
  );
}
