/** An invariant of the books, as the SQL of its breaches. */
export interface Audit {
  id: string;
  title: string;
  /** One row a breach. It looks across tenants and runs as svc_admin. */
  sql: string;
}
