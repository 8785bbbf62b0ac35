import type { Generated } from 'kysely';

export interface RequestTables {
  api_requests: ApiRequestRow;
}

/** What a key has asked for; never what was in it. */
export interface ApiRequestRow {
  seq: Generated<number>;
  account_id: string;
  key_id: string;
  at: number;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  duration_ms: number;
  /** The words of the answer, where it was refused. */
  error: string | null;
  request_id: string;
}
