import type { TSchema } from 'typebox';

interface Shape {
  properties?: Record<string, TSchema>;
  items?: TSchema;
}

/** The GraphQL selection of a shape: data comes back with the fields that the answer has, named as it names them. */
export function selectionOf(shape: TSchema): string {
  const { properties, items } = shape as Shape;
  if (items) return selectionOf(items);
  if (!properties) return '';
  const fields = Object.entries(properties).map(([name, part]) => [name, selectionOf(part)].filter(Boolean).join(' '));
  return `{ ${fields.join(' ')} }`;
}

/** The same for a list, whose pages the graph calls by other names. */
export function pageSelectionOf(page: TSchema): string {
  const { data, ...rest } = (page as Shape).properties!;
  return `{ nodes ${selectionOf(data!)} ${Object.keys(rest).join(' ')} }`;
}
