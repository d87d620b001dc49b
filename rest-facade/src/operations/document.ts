export interface DocumentParts {
  kind: 'query' | 'mutation';
  field: string;
  /** GraphQL types by argument; each becomes a variable of the same name. */
  variables: Readonly<Record<string, string>>;
  selection: string;
}

/** `query contract($id: ID!) { contract(id: $id) { … } }` */
export function documentOf({ kind, field, variables, selection }: DocumentParts): string {
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: ${variables[name]}`).join(', ');
  const passed = names.map((name) => `${name}: $${name}`).join(', ');
  const within = (list: string): string => (list === '' ? '' : `(${list})`);
  return `${kind} ${field}${within(declared)} { ${field}${within(passed)} ${selection} }`;
}
