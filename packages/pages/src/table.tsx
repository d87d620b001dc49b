import type { ComponentChildren, VNode } from 'preact';

interface TableProps<Row> {
  caption: string;
  rows: readonly Row[];
  /** The first column heads the row. A cell that is null is left out on a narrow screen. */
  columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  /** Columns of right-aligned numbers. On a narrow screen the first is shown beside the head of the row. */
  numbers?: readonly string[];
  /** Columns without labels on a narrow screen, because their cells explain themselves. */
  plain?: readonly string[];
  empty?: VNode;
  /** The cursor of the next page; null on the last page. */
  cursor?: string | null;
  /** The text of the link to the next page. */
  more?: string;
  /** Filters that the link to the next page keeps. */
  filters?: Readonly<Record<string, string>>;
}

/** On a narrow screen each row becomes its head and first number, with the other cells below. */
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
  /** Its index among the row's numbers; -1 if it is no number. */
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
