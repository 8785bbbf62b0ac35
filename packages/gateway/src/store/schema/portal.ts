export interface PortalTables {
  browser_sessions: BrowserSessionRow;
  portal_limits: PortalLimitRow;
}

/** Somebody who has signed in with a browser. */
export interface BrowserSessionRow {
  /** Of the cookie, which only the browser has. */
  token_hash: Uint8Array;
  /** Null: the operator. */
  account_id: string | null;
  created_at: number;
  /** To the minute. */
  seen_at: number;
}

/** How far one of the portal's own limits is used up; see the kernel's rate arithmetic. */
export interface PortalLimitRow {
  name: string;
  full_at: number;
}
