/** An invariant of the books, as the SQL of its breaches. */
export interface Audit {
  id: string;
  title: string;
  /** One row a breach; at most LIMIT are read. */
  sql: string;
}
