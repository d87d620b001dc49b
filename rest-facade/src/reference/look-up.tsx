import type { VNode } from 'preact';
import { endpointsOf, type ApiDocument } from './document.js';
import { Fields } from './fields.js';
import { Code, pathOf, Text } from './layout.js';
import { codesIn } from './operation-page.js';

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
      {own.map(({ operationId, summary }, n) => (
        <>
          {n > 0 && ', '}
          <a href={pathOf(`operations/${operationId}`)}>{summary}</a>
        </>
      ))}
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
