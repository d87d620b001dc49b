import type { ComponentChildren, VNode } from 'preact';

interface TableProps<Row> {
  caption: string;
  rows: readonly Row[];
  /** The first one heads the row. A cell that is null has no label on a narrow screen either. */
  columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  /** Amounts and counts, aligned at their ends. On a phone the first of them stands in the row's first line. */
  numbers?: readonly string[];
  /** Columns that say what they are without their names, where there is no room for those. */
  plain?: readonly string[];
  empty?: VNode;
  /** Where the next page begins; null on the last. */
  cursor?: string | null;
  /** The words of the way there. */
  more?: string;
  /** What the next page is narrowed by too. */
  filters?: Readonly<Record<string, string>>;
}

/** On a narrow screen, where there are no columns, a row is its head and number, and below them the other cells. */
export function Table<Row extends { id: string }>(props: TableProps<Row>): VNode {
  const { empty, cursor = null, more = 'Show older ones', filters, ...table } = props;
  return (
    <>
      {empty && table.rows.length === 0 ? empty : <Rows {...table} />}
      {cursor !== null && (
        <p>
          <a href={`?${new URLSearchParams({ ...filters, cursor }).toString()}`}>{more}</a>
        </p>
      )}
    </>
  );
}

function Rows<Row extends { id: string }>({
  caption,
  rows,
  columns,
  numbers = [],
  plain = [],
}: TableProps<Row>): VNode {
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {Object.keys(columns).map((column) => (
            <th key={column} scope="col" class={numbers.includes(column) ? 'num' : undefined}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {Object.entries(columns).map(([label, cell], n) =>
              n === 0 ? (
                <th key={label} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <Cell key={label} label={label} isPlain={plain.includes(label)} number={numbers.indexOf(label)}>
                  {cell(row)}
                </Cell>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  label: string;
  isPlain: boolean;
  /** Which number of its row it is; -1 for none. */
  number: number;
  children: ComponentChildren;
}

function Cell({ label, isPlain, number, children }: CellProps): VNode {
  if (children === null) return <td />;
  const looks = [isPlain && 'plain', number >= 0 && 'num', number === 0 && 'first'].filter(Boolean).join(' ');
  return (
    <td class={looks || undefined}>
      <span class="cell-label" aria-hidden="true">
        {label}
      </span>
      <div class="cell">{children}</div>
    </td>
  );
}
