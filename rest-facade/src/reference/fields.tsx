import { describeSchema } from '@payroll/public-api';
import type { ComponentChildren, VNode } from 'preact';
import { nameOf, type ApiDocument, type Parameter, type Schema } from './document.js';
import { pathOf, Text } from './layout.js';

interface FieldsProps {
  document: ApiDocument;
  schema: Schema;
  /** Whether it is sent: then some need not be. In answers nothing is left out. */
  isSent?: boolean;
}

/** The fields of an object, a line or two each. */
export function Fields({ document, schema, isSent = false }: FieldsProps): VNode {
  return (
    <dl class="fields">
      {Object.entries(schema.properties ?? {}).map(([name, part]) => (
        <Field
          key={name}
          name={name}
          type={typeOf(document, part)}
          note={isSent && schema.required?.includes(name) ? 'required' : null}
          schema={part}
          description={part.description ?? described(document, part)}
        />
      ))}
    </dl>
  );
}

export function Parameters({ document, of }: { document: ApiDocument; of: readonly Parameter[] }): VNode {
  return (
    <dl class="fields">
      {of.map(({ name, in: place, required, schema, description }) => (
        <Field
          key={name}
          name={name}
          type={typeOf(document, schema)}
          note={place === 'query' ? (required ? 'required' : null) : `${place}, required`}
          schema={schema}
          description={description}
        />
      ))}
    </dl>
  );
}

interface FieldProps {
  name: string;
  type: ComponentChildren;
  note: string | null;
  schema: Schema;
  description: string | undefined;
}

function Field({ name, type, note, schema, description }: FieldProps): VNode {
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="type">{type}</span>
        {note && <span class="note">{note}</span>}
      </dt>
      <dd>
        {description && <Text of={description} />}
        {schema.default !== undefined && (
          <>
            {' '}
            Left out, it is <code>{JSON.stringify(schema.default)}</code>.
          </>
        )}
      </dd>
    </div>
  );
}

function typeOf(document: ApiDocument, schema: Schema): ComponentChildren {
  const { $ref, oneOf, items, pattern, maxItems } = schema;
  if (oneOf) return <>{typeOf(document, oneOf[0])}, or null</>;
  if ($ref !== undefined) return typeOfNamed(document, nameOf({ $ref }));
  if (items) {
    const bound = maxItems === undefined ? '' : `at most ${maxItems.toLocaleString('en')} `;
    return (
      <>
        a list of {bound}
        {typeOf(document, items)}
      </>
    );
  }
  const { pattern: _, ...rest } = schema;
  const words = describeSchema(rest);
  const isSaid = schema.format !== undefined || pattern === undefined;
  return isSaid ? (
    words
  ) : (
    <>
      {words} like <code>{pattern}</code>
    </>
  );
}

function typeOfNamed(document: ApiDocument, name: string): ComponentChildren {
  const schema = document.components.schemas[name]!;
  return schema.properties ? <a href={pathOf('objects', name)}>{name}</a> : typeOf(document, schema);
}

function described({ components }: ApiDocument, { $ref, oneOf }: Schema): string | undefined {
  const named = $ref ?? oneOf?.[0].$ref;
  return named === undefined ? undefined : components.schemas[nameOf({ $ref: named })]?.description;
}
