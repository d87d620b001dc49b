export interface DocumentParts {
  kind: 'query' | 'mutation';
  field: string;
  /** GraphQL types by argument; each becomes a variable of the same name. */
  variables: Readonly<Record<string, string>>;
  selection: string;
  /** A whole field to be asked in the same request; it may use the same variables. */
  beside?: string;
}

/** `query contract($id: ID!) { contract(id: $id) { … } }` */
export function documentOf({ kind, field, variables, selection, beside }: DocumentParts): string {
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: ${variables[name]}`).join(', ');
  const passed = names.map((name) => `${name}: $${name}`).join(', ');
  const within = (list: string): string => (list === '' ? '' : `(${list})`);
  const fields = [`${field}${within(passed)} ${selection}`, ...(beside === undefined ? [] : [beside])];
  return `${kind} ${field}${within(declared)} { ${fields.join(' ')} }`;
}
